// Fields as values: sharing, views, copies, sizes.
#include "field/field.h"

#include "base/error.h"
#include "base/memory_reading.h"
#include "base/text.h"
#include "support/fields.h"

#include <functional>
#include <gtest/gtest.h>

namespace caprock {
namespace {

// A different whole number in every cell.
float numbered(int x, int y) { return float(1000 * y + x); }

// Where a field's cells are, to tell a view from a copy.
const float* cells(const Field& field) { return field.rows()[field.rect().top]; }

void expect_numbered(const Field& field) {
    for (int y = field.rect().top; y < field.rect().bottom; y++)
        for (int x = field.rect().left; x < field.rect().right; x++)
            ASSERT_EQ(field.at(x, y), numbered(x, y)) << x << ", " << y;
}

TEST(Field, HoldsWhatIsWrittenAtAbsoluteCoordinates) {
    for (const Rect& rect : {Rect{0, 0, 7, 5}, Rect{-3, -4, 4, 1}, Rect{100, -200, 101, -190}}) {
        Field field = test::made_field(rect, numbered);
        EXPECT_EQ(field.rect(), rect);
        EXPECT_FALSE(field.empty());
        expect_numbered(field);
    }
}

TEST(Field, FillsWithAValue) {
    Field field({-2, -2, 3, 3}, 4.5f);
    for (int y = -2; y < 3; y++)
        for (int x = -2; x < 3; x++) EXPECT_EQ(field.at(x, y), 4.5f);
}

TEST(Field, CopiesShareTheirCellsUntilOneIsWritten) {
    Field original = test::made_field({0, 0, 5, 4}, numbered);
    Field copy = original;
    EXPECT_EQ(cells(copy), cells(original));
    copy.set(2, 3, -1);
    EXPECT_NE(cells(copy), cells(original));
    EXPECT_EQ(copy.at(2, 3), -1);
    expect_numbered(original);
    copy.set(2, 3, numbered(2, 3));
    expect_numbered(copy);
}

TEST(Field, WritingTheOriginalLeavesItsCopiesAlone) {
    Field original = test::made_field({0, 0, 5, 4}, numbered);
    const Field copy = original;
    original.set(0, 0, -1);
    expect_numbered(copy);
    EXPECT_EQ(original.at(0, 0), -1);
}

TEST(Field, AnOwnerAloneWritesInPlace) {
    Field field = test::made_field({0, 0, 5, 4}, numbered);
    const float* before = cells(field);
    field.set(1, 1, 9);
    EXPECT_EQ(cells(field), before);
    { Field passing = field; }
    field.set(1, 1, 10);
    EXPECT_EQ(cells(field), before);
}

TEST(Field, SharedCellsAreKnownUntilOneIsWritten) {
    Field original = test::made_field({0, 0, 5, 4}, numbered);
    Field copy = original;
    EXPECT_TRUE(copy.shares_cells(original));
    EXPECT_FALSE(copy.shares_cells(original.copied()));
    EXPECT_FALSE(copy.shares_cells(original.cropped({0, 0, 5, 3})));
    EXPECT_TRUE(original.cropped({1, 1, 2, 2}).shares_cells(copy.cropped({1, 1, 2, 2})));
    original.set(0, 0, numbered(0, 0));
    EXPECT_FALSE(copy.shares_cells(original));
    EXPECT_TRUE(Field().shares_cells(Field()));
}

TEST(Field, CellsThatWereWrittenHereAreHere) {
    EXPECT_TRUE(Field().on_host());
    EXPECT_TRUE(Field({0, 0, 5, 4}, 1).on_host());
}

TEST(Field, CropsAreViews) {
    Field original = test::made_field({-4, -3, 8, 9}, numbered);
    Field crop = original.cropped({-1, 2, 5, 6});
    EXPECT_EQ(crop.rect(), (Rect{-1, 2, 5, 6}));
    EXPECT_EQ(cells(crop), original.rows()[2] + 3);
    expect_numbered(crop);
    Field inner = crop.cropped({0, 3, 2, 4});
    EXPECT_EQ(cells(inner), original.rows()[3] + 4);
    expect_numbered(inner);
}

TEST(Field, WritingIntoAViewDoesNotTouchTheOriginal) {
    Field original = test::made_field({-4, -3, 8, 9}, numbered);
    Field crop = original.cropped({-1, 2, 5, 6});
    Field::WritableRows rows = crop.writable_rows();
    for (int y = 2; y < 6; y++)
        for (int i = 0; i < 6; i++) rows[y][i] = -7;
    expect_numbered(original);
    for (int y = 2; y < 6; y++)
        for (int x = -1; x < 5; x++) EXPECT_EQ(crop.at(x, y), -7);
}

TEST(Field, WritingIntoACopyOfAViewDoesNotTouchTheViewNorTheOriginal) {
    Field original = test::made_field({0, 0, 8, 8}, numbered);
    const Field view = original.cropped({2, 2, 6, 6});
    Field copy = view;
    copy.set(3, 3, -1);
    expect_numbered(view);
    expect_numbered(original);
    EXPECT_EQ(copy.at(3, 3), -1);
    EXPECT_EQ(copy.at(2, 2), numbered(2, 2));
}

TEST(Field, AViewOutlivesItsOriginal) {
    Field view;
    {
        Field original = test::made_field({0, 0, 8, 8}, numbered);
        view = original.cropped({2, 2, 6, 6});
    }
    expect_numbered(view);
    view.set(2, 2, -1);
    EXPECT_EQ(view.at(2, 2), -1);
    EXPECT_EQ(view.at(5, 5), numbered(5, 5));
}

TEST(Field, CropsOutsideAreRefused) {
    Field field({0, 0, 4, 4}, 0);
    EXPECT_THROW(field.cropped({0, 0, 5, 4}), std::logic_error);
    EXPECT_THROW(field.cropped({-1, 0, 4, 4}), std::logic_error);
    // A view is not let look past itself either.
    Field view = field.cropped({1, 1, 3, 3});
    EXPECT_THROW(view.cropped({0, 0, 4, 4}), std::logic_error);
}

TEST(Field, CopiedIsDenseAndItsOwn) {
    Field original = test::made_field({0, 0, 8, 8}, numbered);
    Field view = original.cropped({2, 2, 6, 6});
    Field copy = view.copied();
    EXPECT_EQ(copy.rect(), view.rect());
    EXPECT_EQ(copy.rows()[3], copy.rows()[2] + 4);
    EXPECT_NE(cells(copy), cells(view));
    EXPECT_TRUE(identical(copy, view));
}

TEST(Field, MovedHasTheSameCellsElsewhere) {
    Field original = test::made_field({0, 0, 8, 8}, numbered);
    Field moved = original.cropped({2, 2, 6, 5}).moved(-10, 100);
    EXPECT_EQ(moved.rect(), (Rect{-8, 102, -4, 105}));
    for (int y = 102; y < 105; y++)
        for (int x = -8; x < -4; x++) EXPECT_EQ(moved.at(x, y), numbered(x + 10, y - 100));
    expect_numbered(original);
}

TEST(Field, MovingCopiesNothingUntilItIsWritten) {
    Field original = test::made_field({0, 0, 8, 8}, numbered);
    Field moved = original.cropped({2, 2, 6, 5}).moved(-10, 100);
    EXPECT_EQ(moved.rows()[102], original.rows()[2] + 2);
    EXPECT_FALSE(moved.shares_cells(original.cropped({2, 2, 6, 5}))) << "elsewhere, they are others";
    EXPECT_TRUE(moved.moved(10, -100).shares_cells(original.cropped({2, 2, 6, 5})));
    moved.set(-8, 102, -1);
    EXPECT_EQ(moved.at(-8, 102), -1);
    EXPECT_EQ(moved.at(-5, 104), numbered(5, 4));
    expect_numbered(original);
}

TEST(Field, EmptyFieldsCanBeHandledLikeAnyOther) {
    for (const Field& field : {Field(), Field(Rect{3, 3, 3, 3}), Field(Rect{0, 0, 5, 0}),
                               Field(Rect{0, 0, 4, 4}, 1).cropped({2, 2, 2, 2})}) {
        EXPECT_TRUE(field.empty());
        Field copy = field.copied();
        EXPECT_EQ(copy.rect(), field.rect());
        EXPECT_EQ(field.moved(2, 3).rect().cells(), 0);
        EXPECT_NO_THROW(field.rows());
        EXPECT_NO_THROW(copy.writable_rows());
        EXPECT_TRUE(identical(field, copy));
    }
}

// ---- sizes -----------------------------------------------------------------------------------------------

namespace {

// A machine on which nothing else runs.
class FieldSize : public testing::Test {
    PretendedMemory machine_{[] { return MemoryReading{uint64_t(24) << 30, uint64_t(24) << 30, 0}; }};
};

}  // namespace

TEST_F(FieldSize, TheLargestGridCanBeSpokenOfWithoutAllocating) {
    Rect rect = Rect::of({largest_side, largest_side});
    // More of them than any machine could hold, were they allocated.
    std::vector<Field> fields;
    for (int i = 0; i < 100000; i++) fields.emplace_back(rect);
    EXPECT_EQ(fields.back().rect(), rect);
    EXPECT_EQ(fields.back().plane().buffer->bytes(), size_t(16) << 30);
    // And none of it is counted as taken.
    EXPECT_NO_THROW(require_memory(machine_memory(), "everything"));
    Field crop = fields.back().cropped({65000, 65000, 65536, 65536});
    EXPECT_EQ(crop.rect().cells(), 536 * 536);
}

TEST_F(FieldSize, IndicesAtTheFarCornerDoNotOverflow) {
    Plane at_origin(Rect::of({largest_side, largest_side}));
    EXPECT_EQ(at_origin.index(65535, 65535), ptrdiff_t(4294967295));
    EXPECT_EQ(at_origin.index(0, 65535), ptrdiff_t(4294901760));
    EXPECT_EQ(at_origin.index(0, 32768), ptrdiff_t(2147483648));
    EXPECT_EQ(at_origin.buffer->bytes(), size_t(17179869184));
    Plane around_origin(Rect{-32768, -32768, 32768, 32768});
    EXPECT_EQ(around_origin.index(-32768, -32768), 0);
    EXPECT_EQ(around_origin.index(32767, 32767), ptrdiff_t(4294967295));
}

TEST_F(FieldSize, MoreThanTheMachineHasIsRefusedWithBothFigures) {
    Rect rect = Rect::of({1 << 30, 1 << 30});  // 4 EiB
    Field field(rect);
    for (const std::function<void()>& look : std::vector<std::function<void()>>{
             [&] { field.rows(); }, [&] { field.writable_rows(); }, [&] { Field filled(rect, 0); },
             [&] { field.copied(); }, [&] { statistics(field); }, [&] { fingerprint(field); }}) {
        try {
            look();
            FAIL() << "it was granted";
        } catch (const OutOfMemory& error) {
            std::string message = error.what();
            EXPECT_NE(message.find("4.0 EiB"), std::string::npos) << message;
            EXPECT_NE(message.find(bytes_text(machine_memory())), std::string::npos) << message;
            EXPECT_NE(message.find("1073741824 x 1073741824"), std::string::npos) << message;
        }
    }
    EXPECT_NO_THROW(require_memory(machine_memory(), "everything"));
}

TEST_F(FieldSize, CellsAreGivenBackToTheAccount) {
    { Field field(Rect::of({512, 512}), 1); }
    EXPECT_NO_THROW(require_memory(machine_memory(), "everything"));
    Field field(Rect::of({512, 512}), 1);
    EXPECT_THROW(require_memory(machine_memory(), "everything"), OutOfMemory);
}

TEST_F(FieldSize, OneCell) {
    Field field({-1, -1, 0, 0}, 3);
    EXPECT_EQ(field.at(-1, -1), 3);
    EXPECT_TRUE(identical(field, field.copied()));
}

TEST(Missing, IsNotANumber) {
    EXPECT_TRUE(is_missing(missing));
    EXPECT_FALSE(is_missing(0));
    EXPECT_FALSE(is_missing(std::numeric_limits<float>::infinity()));
}

}  // namespace
}  // namespace caprock
