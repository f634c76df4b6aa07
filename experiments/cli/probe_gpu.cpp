// The CUDA driver by dlopen, so that the same program runs where there is none.
#include <fmt/format.h>

#include <experiments/cli/dynamic_library.hpp>
#include <experiments/cli/findings.hpp>

namespace pivotlab::cli {
namespace {

const std::string without_gpu = "the host backend needs none";

// The codes that people meet. 35 is the runtime library's, for a driver that is absent or older than the library.
std::string explain(int code) {
  switch (code) {
    case 3:
      return "the driver is not initialized";
    case 35:
      return "the driver is absent or older than the CUDA library";
    case 46:
      return "every device is in use or in exclusive mode";
    case 100:
      return "the driver sees no device";
    case 101:
      return "the device number is invalid";
    case 803:
      return "the driver's library and its kernel module have different versions";
    case 804:
      return "this device does not support the forward-compatibility package";
    default:
      return "see cuda.h, CUresult";
  }
}

std::string remedy_for(int code) {
  switch (code) {
    case 100:
      return "check nvidia-smi and CUDA_VISIBLE_DEVICES, or give the container its GPU (--gpus all)";
    case 803:
      return "reboot, or reload the nvidia kernel module, so that both have one version";
    case 804:
      return "remove the cuda-compat package from LD_LIBRARY_PATH";
    default:
      return "install a current NVIDIA driver and check nvidia-smi";
  }
}

std::string driver_version() {
  const DynamicLibrary nvml{"libnvidia-ml.so.1"};
  auto* init = nvml.symbol<int()>("nvmlInit_v2");
  auto* version = nvml.symbol<int(char*, unsigned)>("nvmlSystemGetDriverVersion");
  auto* shutdown = nvml.symbol<int()>("nvmlShutdown");
  char text[96] = "";
  if (init == nullptr || version == nullptr || shutdown == nullptr || init() != 0) return "";
  if (version(text, sizeof text) != 0) text[0] = '\0';
  shutdown();
  return text;
}

Finding describe_device(const DynamicLibrary& cuda, int ordinal) {
  constexpr int compute_capability_major = 75, compute_capability_minor = 76;
  auto* get = cuda.symbol<int(int*, int)>("cuDeviceGet");
  auto* get_name = cuda.symbol<int(char*, int, int)>("cuDeviceGetName");
  auto* get_memory = cuda.symbol<int(std::size_t*, int)>("cuDeviceTotalMem_v2");
  auto* get_attribute = cuda.symbol<int(int*, int, int)>("cuDeviceGetAttribute");
  int device = 0, major = 0, minor = 0;
  char name[128] = "";
  std::size_t memory = 0;
  Finding finding{.part = fmt::format("GPU {}", ordinal), .state = State::problem, .found = {}, .remedy = {}};
  if (get == nullptr || get_name == nullptr || get_memory == nullptr || get_attribute == nullptr ||
      get(&device, ordinal) != 0 || get_name(name, sizeof name, device) != 0 || get_memory(&memory, device) != 0 ||
      get_attribute(&major, compute_capability_major, device) != 0 ||
      get_attribute(&minor, compute_capability_minor, device) != 0) {
    finding.found = "the driver does not answer";
    finding.remedy = "check nvidia-smi";
    return finding;
  }
  finding.state = State::ok;
  finding.found = fmt::format("{}, compute capability {}.{}, {:.1f} GiB", name, major, minor,
                              static_cast<double>(memory) / (1024.0 * 1024.0 * 1024.0));
  return finding;
}

}  // namespace

std::vector<Finding> probe_gpu() {
  const DynamicLibrary cuda{"libcuda.so.1"};
  if (!cuda)
    return {{"CUDA driver", State::optional,
             fmt::format("none: no libcuda.so.1 (CUDA programs would stop with code 35: {})", explain(35)),
             "to use a GPU install the NVIDIA driver; " + without_gpu}};
  auto* init = cuda.symbol<int(unsigned)>("cuInit");
  const int code = init == nullptr ? 3 : init(0);
  if (code != 0)
    return {{"CUDA driver", State::optional, fmt::format("there, but code {}: {}", code, explain(code)),
             remedy_for(code) + "; " + without_gpu}};

  auto* get_version = cuda.symbol<int(int*)>("cuDriverGetVersion");
  auto* get_count = cuda.symbol<int(int*)>("cuDeviceGetCount");
  int version = 0, count = 0;
  if (get_version == nullptr || get_count == nullptr || get_version(&version) != 0 || get_count(&count) != 0)
    return {{"CUDA driver", State::problem, "there, but it does not answer", "check nvidia-smi"}};
  const std::string driver = driver_version();
  std::vector<Finding> findings{
      {"CUDA driver", State::ok,
       fmt::format("{}{}for CUDA {}.{}", driver, driver.empty() ? "" : ", ", version / 1000, version % 1000 / 10), ""}};
  for (int ordinal = 0; ordinal < count; ++ordinal) findings.push_back(describe_device(cuda, ordinal));
  return findings;
}

}  // namespace pivotlab::cli
