// SPDX-License-Identifier: BSD-3-Clause
// A toy variant with a row of every kind: from one table of rows come its names, sweeps, sections and help.
#include <gtest/gtest.h>

#include <pivotlab/error.hpp>
#include <variants/grammar.hpp>

#include <array>

namespace pivotlab::grammar_test {
namespace {

enum class Order { rising, falling };
enum class Level { none, point, block };

struct Toy {
  Order order = Order::rising;
  int digit = 0;
  Level level = Level::block;
  int size = 4;
  int width = 8;
  bool sorting = true;
  double factor = 0.5;
  bool twice = false;

  friend bool operator==(const Toy&, const Toy&) = default;
};

struct LevelAndSize {
  Level level;
  int size;
  friend bool operator==(const LevelAndSize& a, const LevelAndSize& b) {
    return a.level == b.level && (a.level != Level::block || a.size == b.size);
  }
};

constexpr std::array orders{Choice{Order::rising, "UP", "rising", "From below."},
                            Choice{Order::falling, "DN", "falling", "From above."}};
constexpr std::array levels{Choice{LevelAndSize{Level::none, 0}, "", "none", "", "none"},
                            Choice{LevelAndSize{Level::point, 0}, "point", "point"},
                            Choice{LevelAndSize{Level::block, 4}, "b=4", "block", "", "b4"},
                            Choice{LevelAndSize{Level::block, 8}, "b=8", "block", "", "b8"}};

const Grammar<Toy>& toys() {
  static const Grammar<Toy> grammar(
      "TOY{digit}-({order}, X)",
      {{integer(&Toy::digit, 0, 2), {.name = "digit", .option = "--digit", .help = "A digit"}},
       {choice(&Toy::order, orders), {.name = "order", .option = "--order", .help = "Order", .listed = true}},
       {choice<Toy, LevelAndSize>(
            [](const Toy& toy) {
              return LevelAndSize{toy.level, toy.size};
            },
            [](Toy& toy, const LevelAndSize& chosen) {
              toy.level = chosen.level;
              if (chosen.level == Level::block) toy.size = chosen.size;
            },
            levels),
        {.name = "level", .option = "--level", .help = "Level"}},
       {integers(&Toy::size, {4, 8}), {.name = "size", .applies = {{"level", "block", ""}}, .in_name = false}},
       {integer(&Toy::width, 2, 64, 2),
        {.name = "width", .key = "w", .option = "-w,--width", .help = "Width", .default_word = "usual"}},
       {on_off(&Toy::sorting), {.name = "sorting", .key = "sort", .option = "--sort", .help = "Sorting"}},
       {number(&Toy::factor, left_open(0, 1)),
        {.name = "factor", .key = "factor", .option = "--factor", .help = "Factor"}},
       {flag(&Toy::twice),
        {.name = "twice",
         .key = "twice",
         .help = "Everything twice",
         .written = Written::if_not_default,
         .applies = {{"order", "DN", "what rises is done once"}}}}},
      [](const Toy& toy) { return std::string(choice_of(orders, toy.order).summary); },
      {{"T", Toy{.digit = 2, .width = 4}}});
  return grammar;
}

const OptionRow& row(std::string_view name) {
  for (const OptionRow& one : toys().rows())
    if (one.name == name) return one;
  throw std::out_of_range(std::string(name));
}

std::string refusal(std::string_view name) {
  try {
    toys().parse(name);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string sweep_refusal(const std::map<std::string, std::string>& lists) {
  try {
    toys().sweep(lists);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Grammar, PrintsWhatIsNotDefaultInTheOrderOfTheRows) {
  EXPECT_EQ(toys().print(Toy{}), "TOY0-(UP, X);b=4");
  EXPECT_EQ(toys().print(Toy{.level = Level::none}), "TOY0-(UP, X)");
  EXPECT_EQ(toys().print(Toy{.order = Order::falling,
                             .digit = 1,
                             .level = Level::point,
                             .width = 2,
                             .sorting = false,
                             .factor = 0.25,
                             .twice = true}),
            "TOY1-(DN, X);point;w=2;sort=off;factor=0.25;twice");
}

TEST(Grammar, ParsesInAnyCaseAndOrderWithDefaultsWritten) {
  EXPECT_EQ(toys().parse("toy0-(up,x)"), Toy{.level = Level::none});
  EXPECT_EQ(toys().parse("Toy0-(Up, X);FACTOR=5e-1;B=8;sort=ON"), Toy{.size = 8});
  EXPECT_EQ(toys().parse("t"), (Toy{.digit = 2, .width = 4}));
  EXPECT_EQ(toys().canonical("toy1-(dn,x);Twice;w=8"), "TOY1-(DN, X);twice");
}

TEST(Grammar, ParseInvertsPrintForEveryNameOfASweep) {
  for (const std::string& name : toys().sweep({{"digit", "0:2"},
                                               {"order", "UP,DN"},
                                               {"level", "none,point,b4,b8"},
                                               {"width", "2:64:30,usual"},
                                               {"sorting", "on,off"},
                                               {"factor", "0.1:1:0.3"}}))
    EXPECT_EQ(toys().print(toys().parse(name)), name);
}

TEST(Grammar, RefusalNamesThePlaceAndTheNearest) {
  EXPECT_EQ(refusal("TOY7-(UP, X)"),
            "variant 'TOY7-(UP, X)': at '7-(UP, X)': no such variant; nearest: TOY2-(UP, X), TOY1-(UP, X), "
            "TOY0-(UP, X)");
  EXPECT_EQ(refusal("TOZ"), "variant 'TOZ': at 'Z': no such variant; nearest: T, TOY0-(UP, X), TOY0-(DN, X)");
  EXPECT_EQ(refusal("TOY0-(UP, X);w=7"),
            "variant 'TOY0-(UP, X);w=7': option 'w=7': no such value; there are w=2, 4, …, 64; nearest: w=6, w=8, w=4");
  EXPECT_EQ(refusal("TOY0-(UP, X);factor=0"),
            "variant 'TOY0-(UP, X);factor=0': option 'factor=0': factor is not a number in (0, 1]; choose one, as in "
            "factor=0.5");
  EXPECT_EQ(refusal("TOY0-(UP, X);twise"),
            "variant 'TOY0-(UP, X);twise': option 'twise': no such option; there are point|b=4|b=8, w=2, 4, …, 64, "
            "sort=on|off, factor=NUMBER in (0, 1], twice; nearest: twice, point, w=2");
  EXPECT_EQ(refusal("TOY0-(UP, X);point;b=4"),
            "variant 'TOY0-(UP, X);point;b=4': option 'b=4': level is given twice; keep one of them");
  EXPECT_EQ(refusal("TOY0-(UP, X);twice"),
            "variant 'TOY0-(UP, X);twice': option 'twice': what rises is done once; take DN for order");
  for (const std::string name : {"", "TOY0", "TOY0-(UP, X", "TOY0-(UP, X) ", "TOY0-(UP, X);", "TOY0-(UP, X);;w=8",
                                 "TOY0-(UP, X);w=08", "TOY0-(UP, X);w=+8", "TOY0-(UP, X);factor=nan",
                                 "TOY0-(UP, X);factor=", "TOY0-(DN, X);twice=on", "TOY0-(UP, X);none"})
    EXPECT_THROW(toys().parse(name), InputError) << name;
}

TEST(Grammar, SweepVariesFirstRowSlowest) {
  EXPECT_EQ(toys().sweep({}), std::vector<std::string>{"TOY0-(UP, X);b=4"});
  EXPECT_EQ(toys().sweep({{"order", "dn,up"}, {"level", "none,b8"}, {"width", "4,usual"}}),
            (std::vector<std::string>{"TOY0-(DN, X);w=4", "TOY0-(DN, X)", "TOY0-(DN, X);b=8;w=4", "TOY0-(DN, X);b=8",
                                      "TOY0-(UP, X);w=4", "TOY0-(UP, X)", "TOY0-(UP, X);b=8;w=4", "TOY0-(UP, X);b=8"}));
  EXPECT_EQ(sweep_refusal({{"width", "4,7"}}), "--width: there is no '7'; choose from 2, 4, …, 64; nearest: 6, 8, 4");
  EXPECT_EQ(sweep_refusal({{"factor", "2"}}), "--factor: '2' is not a number in (0, 1]; choose one, as in 0.5");
  EXPECT_EQ(sweep_refusal({{"level", "b=4"}}), "--level: there is no 'b=4'; choose from none, point, b4, b8");
  EXPECT_NE(sweep_refusal({{"twice", "on"}}).find("what rises is done once"), std::string::npos);
  EXPECT_THROW(toys().sweep({{"widht", "4"}}), InputError);
}

TEST(Grammar, SectionHoldsTheValuesAsWrittenInRecords) {
  using Entries = std::vector<VariantNames::Entry>;
  EXPECT_EQ(toys().section("TOY1-(DN, X);point;twice"), (Entries{{"digit", std::int64_t{1}},
                                                                 {"order", "falling"},
                                                                 {"level", "point"},
                                                                 {"size", {}},
                                                                 {"width", std::int64_t{8}},
                                                                 {"sorting", true},
                                                                 {"factor", 0.5},
                                                                 {"twice", true}}));
  const Entries usual = toys().section(Toy{});
  ASSERT_EQ(usual.size(), 7u);
  EXPECT_EQ(usual[2], (VariantNames::Entry{"level", "block"}));
  EXPECT_EQ(usual[3], (VariantNames::Entry{"size", std::int64_t{4}}));
}

TEST(Grammar, RowsTellHelpDefaultsAndDomains) {
  EXPECT_EQ(toys().head(), "TOY{digit}-({order}, X)");
  EXPECT_EQ(help_text(row("order")), "Order: UP (rising), DN (falling)");
  EXPECT_EQ(help_text(row("level")), "Level: none, point, b4 (block), b8 (block)");
  EXPECT_EQ(help_text(row("width")), "Width: 2, 4, …, 64");
  EXPECT_EQ(help_text(row("factor")), "Factor: in (0, 1]");
  EXPECT_EQ(default_text(row("order")), "UP");
  EXPECT_EQ(default_text(row("level")), "b4");
  EXPECT_EQ(default_text(row("width")), "usual");
  EXPECT_EQ(default_text(row("sorting")), "on");
  EXPECT_EQ(written_choices(row("level")), (std::vector<OptionValue>{"none", "point", "block"}));
  EXPECT_EQ(written_choices(row("size")), (std::vector<OptionValue>{std::int64_t{4}, std::int64_t{8}}));
  EXPECT_EQ(written_choices(row("twice")), std::vector<OptionValue>{true});
  EXPECT_TRUE(row("twice").optional());
  EXPECT_FALSE(row("width").optional());
  EXPECT_FALSE(is_option(row("order")));
  EXPECT_FALSE(is_option(row("size")));
  EXPECT_TRUE(is_option(row("level")));
}

TEST(Grammar, ListsPresets) {
  const auto listed = toys().listed();
  ASSERT_EQ(listed.size(), 1u);
  EXPECT_EQ(listed[0].name, "TOY2-(UP, X);b=4;w=4");
  EXPECT_EQ(listed[0].summary, "T: From below.");
}

TEST(Grammar, RefusesValuesOutOfTheirDomain) {
  EXPECT_NO_THROW(toys().require_valid(Toy{}));
  EXPECT_NO_THROW(toys().require_valid(Toy{.level = Level::point, .size = 5}));
  for (const Toy& bad : {Toy{.digit = 3}, Toy{.size = 5}, Toy{.width = 7}, Toy{.factor = 0}, Toy{.factor = 1.5}})
    EXPECT_THROW(toys().require_valid(bad), InputError) << toys().print(bad);
}

// A new option is its member, its row and its use: the names of variants without it stay as they were.
struct MoreToy {
  Toy toy;
  int passes = 1;
};

TEST(Grammar, NewOptionIsOneMoreRowWithDefault) {
  const Grammar<MoreToy> more(
      "MORE",
      joined<MoreToy>(
          within(&MoreToy::toy,
                 std::vector<VariantRow<Toy>>{{integer(&Toy::width, 2, 64, 2), {.name = "width", .key = "w"}}}),
          {{integer(&MoreToy::passes, 1, 9),
            {.name = "passes", .key = "passes", .option = "--passes", .help = "Passes", .added_later = true}}}));
  EXPECT_EQ(more.canonical("more;w=4"), "MORE;w=4");
  EXPECT_EQ(more.parse("MORE;passes=3").passes, 3);
  EXPECT_EQ(more.parse("MORE;w=4").toy.width, 4);
  EXPECT_EQ(more.sweep({{"passes", "1:3"}}), (std::vector<std::string>{"MORE", "MORE;passes=2", "MORE;passes=3"}));
  EXPECT_TRUE(more.rows().back().optional());
}

}  // namespace
}  // namespace pivotlab::grammar_test
