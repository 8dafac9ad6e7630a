package dev.berth.apiserver.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Encodings as X.690 and RFC 5280 give them.
class DerTest {
  record Row(String what, String encoded, String hex) {
    Row(String what, byte[] encoded, String hex) {
      this(what, HexFormat.of().formatHex(encoded), hex);
    }

    @Override
    public String toString() {
      return what;
    }
  }

  static final List<Row> rows =
      List.of(
          new Row("a small number", Der.integer(BigInteger.TWO), "020102"),
          new Row(
              "a number whose high bit is set", Der.integer(BigInteger.valueOf(200)), "020200c8"),
          new Row("an identifier with long arcs", Der.oid("1.2.840.113549"), "06062a864886f70d"),
          new Row("an identifier with a zero arc", Der.oid("2.5.29.0"), "0603551d00"),
          new Row(
              "a year in this half century",
              Der.time(Instant.parse("2049-12-31T23:59:59Z")),
              "170d3439313233313233353935395a"),
          new Row(
              "a year in the next half",
              Der.time(Instant.parse("2050-01-01T00:00:00Z")),
              "180f32303530303130313030303030305a"),
          new Row("bits with unused ones", Der.bits(7, (byte) 0x80), "03020780"),
          new Row("a tag around a value", Der.explicit(0, Der.bool(true)), "a0030101ff"),
          new Row("a tag instead of a value's own", Der.implicit(2, new byte[] {'a'}), "820161"));

  @ParameterizedTest
  @FieldSource("rows")
  void isEncoded(Row row) {
    assertThat(row.encoded()).isEqualTo(row.hex());
  }

  static final List<Row> lengths =
      List.of(
          new Row("127", Der.octets(new byte[127]), "047f"),
          new Row("128", Der.octets(new byte[128]), "048180"),
          new Row("255", Der.octets(new byte[255]), "0481ff"),
          new Row("256", Der.octets(new byte[256]), "04820100"),
          new Row("70000", Der.octets(new byte[70_000]), "0483011170"));

  @ParameterizedTest
  @FieldSource("lengths")
  void aLengthTakesAsManyOctetsAsItNeeds(Row row) {
    assertThat(row.encoded()).startsWith(row.hex() + "00");
  }
}
