package dev.berth.kube.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;

/// An amount as Kubernetes writes it: `1Gi`, `1500m`, `2e3`. Two quantities are equal if they are
/// the same amount, however they were written.
///
/// @param amount in base units (bytes for storage)
/// @param form how it was written, and is written back
public record Quantity(BigDecimal amount, Form form) implements Comparable<Quantity> {
  /// The three families of suffixes; a quantity keeps its own.
  public enum Form {
    BINARY,
    DECIMAL,
    EXPONENT
  }

  private static final List<String> BINARY = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
  private static final List<String> DECIMAL =
      List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");
  private static final int DECIMAL_ONE = 3;
  private static final BigInteger KIBI = BigInteger.valueOf(1024);

  /// As upstream, amounts beyond it are this one; that also keeps a number such as `1e400000000`
  /// from ever being written out.
  private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

  private static final int MOST_DIGITS = 19;
  private static final int NANO = 9;
  private static final int LONGEST = 128;

  public Quantity {
    amount = bounded(amount);
  }

  /// At most [#MOST] either way, and whole nanos, rounded away from zero.
  private static BigDecimal bounded(BigDecimal amount) {
    if (amount.signum() == 0) return BigDecimal.ZERO;
    // Nothing that expands the number before it is known to be small.
    long digits = (long) amount.precision() - amount.scale();
    if (digits > MOST_DIGITS) return amount.signum() > 0 ? MOST : MOST.negate();
    if (digits < -NANO) return BigDecimal.valueOf(amount.signum(), NANO);
    if (amount.abs().compareTo(MOST) > 0) return amount.signum() > 0 ? MOST : MOST.negate();
    return amount.scale() > NANO ? amount.setScale(NANO, RoundingMode.UP) : amount;
  }

  public static Quantity ofBytes(long bytes) {
    return new Quantity(BigDecimal.valueOf(bytes), Form.BINARY);
  }

  /// @throws IllegalArgumentException if `text` is no quantity; its message says what is
  public static Quantity parse(String text) {
    if (text.length() > LONGEST)
      throw new IllegalArgumentException(
          "a quantity of %d characters; %d are more than enough".formatted(text.length(), LONGEST));
    int end = text.length();
    while (end > 0 && Character.isLetter(text.charAt(end - 1))) end--;
    var number = text.substring(0, end);
    var suffix = text.substring(end);
    try {
      int binary = BINARY.indexOf(suffix);
      if (binary > 0)
        return new Quantity(
            new BigDecimal(number).multiply(new BigDecimal(KIBI.pow(binary))), Form.BINARY);
      if (number.indexOf('e') > 0 || number.indexOf('E') > 0)
        return new Quantity(new BigDecimal(text), Form.EXPONENT);
      int decimal = DECIMAL.indexOf(suffix);
      if (decimal >= 0)
        return new Quantity(
            new BigDecimal(number).scaleByPowerOfTen(3 * (decimal - DECIMAL_ONE)), Form.DECIMAL);
    } catch (NumberFormatException notANumber) {
      // Falls through to the one message for all that is no quantity.
    }
    throw new IllegalArgumentException(
        "\"" + text + "\" is no quantity; write a number with a suffix such as 500m, 10G or 10Gi");
  }

  /// In whole base units, fractions rounded up; the largest long if it is larger.
  public long toLong() {
    var whole = amount.setScale(0, RoundingMode.CEILING).toBigInteger();
    return whole.bitLength() < Long.SIZE ? whole.longValue() : Long.MAX_VALUE;
  }

  public boolean isPositive() {
    return amount.signum() > 0;
  }

  @Override
  public int compareTo(Quantity other) {
    return amount.compareTo(other.amount);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Quantity quantity && amount.compareTo(quantity.amount) == 0;
  }

  @Override
  public int hashCode() {
    return amount.stripTrailingZeros().hashCode();
  }

  /// The canonical form (API-106): the largest suffix of its family that leaves a whole number;
  /// binary amounts with fractions are written as decimal ones.
  @Override
  public String toString() {
    if (amount.signum() == 0) return "0";
    return switch (form) {
      case BINARY -> isWhole(amount) ? binary() : decimal();
      case DECIMAL -> decimal();
      case EXPONENT -> exponent();
    };
  }

  private String binary() {
    var value = amount.toBigIntegerExact();
    int power = 0;
    while (power < BINARY.size() - 1 && value.mod(KIBI).signum() == 0) {
      value = value.divide(KIBI);
      power++;
    }
    return value + BINARY.get(power);
  }

  private String decimal() {
    for (int suffix = DECIMAL.size() - 1; suffix > 0; suffix--) {
      var value = amount.scaleByPowerOfTen(-3 * (suffix - DECIMAL_ONE));
      if (isWhole(value)) return value.toBigIntegerExact() + DECIMAL.get(suffix);
    }
    var nano = amount.scaleByPowerOfTen(9).setScale(0, RoundingMode.CEILING);
    return nano.toBigIntegerExact() + DECIMAL.getFirst();
  }

  private String exponent() {
    var stripped = amount.stripTrailingZeros();
    int exponent = Math.floorDiv(-stripped.scale(), 3) * 3;
    if (exponent == 0) return stripped.toPlainString();
    return stripped.scaleByPowerOfTen(-exponent).toPlainString() + "e" + exponent;
  }

  private static boolean isWhole(BigDecimal value) {
    return value.stripTrailingZeros().scale() <= 0;
  }
}
