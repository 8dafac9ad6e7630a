package dev.berth.driver.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which size is made (RNG-02): in units of the driver, not below what is required, not above the
/// limit.
class SizeRangeTest {
  @ParameterizedTest(name = "{0} to {1}, usually {2}, in units of {3}: {4}")
  @CsvSource({
    "4, , 100, 4, 4",
    "5, , 100, 4, 8",
    "5, 8, 100, 4, 8",
    "5, 7, 100, 4, ",
    "8, 8, 100, 4, 8",
    "0, , 100, 4, 100",
    "0, , 101, 4, 104",
    "0, 101, 101, 4, 100",
    "0, 10, 100, 4, 8",
    "0, 3, 100, 4, ",
    "9223372036854775807, , 100, 4, ",
    "9223372036854775804, , 100, 4, 9223372036854775804"
  })
  void choose(long required, @Nullable Long limit, long usual, long unit, @Nullable Long expected) {
    assertThat(new SizeRange(required, optional(limit)).choose(usual, unit))
        .isEqualTo(optional(expected));
  }

  @ParameterizedTest(name = "{0} to {1}")
  @CsvSource({"-1, 5", "0, 0", "0, -1", "6, 5"})
  void whatCannotBeIsNot(long required, long limit) {
    assertThatThrownBy(() -> new SizeRange(required, OptionalLong.of(limit)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static OptionalLong optional(@Nullable Long bytes) {
    return bytes == null ? OptionalLong.empty() : OptionalLong.of(bytes);
  }
}
