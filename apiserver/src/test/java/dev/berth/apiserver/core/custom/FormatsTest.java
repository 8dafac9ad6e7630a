package dev.berth.apiserver.core.custom;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// API-122: formats of texts, one that is admitted and one that is not.
class FormatsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          date-time | 2026-11-27T05:00:00Z | yesterday
          date | 2026-11-27 | 27.11.2026
          byte | YQ== | a-b
          duration | 1h30m | soon
          uri | https://example.com/a?b | example.com
          email | a.b@example.com | a.b
          hostname | node-1.example.com | -node
          ipv4 | 10.0.0.1 | 1.2.3.4.
          ipv6 | fe80::1 | 10.0.0.1
          cidr | 10.0.0.0/8 | 10.0.0.0/33
          cidr | fd00::/64 | fd00::
          mac | 0a:1b:2c:3d:4e:5f | 0a:1b:2c:3d:4e
          mac | 0a1b.2c3d.4e5f | 0a:1b-2c:3d:4e:5f
          uuid | 123e4567-e89b-42d3-a456-426614174000 | 123e4567
          uuid4 | 123e4567-e89b-42d3-a456-426614174000 | 123e4567-e89b-12d3-a456-426614174000
          isbn10 | 3-16-148410-X | 3-16-148410-1
          isbn13 | 978-3-16-148410-0 | 978-3-16-148410-1
          creditcard | 4111 1111 1111 1111 | 4111 1111 1111 1112
          ssn | 111-22-3333 | 11-22-3333
          hexcolor | #c0ffee | #coffee
          rgbcolor | rgb(1, 2, 255) | rgb(1, 2, 256)
          bsonobjectid | 507f1f77bcf86cd799439011 | 507f1f77
          k8s-short-name | node-1 | node.1
          k8s-long-name | node.1 | Node.1
          """)
  void formats(String format, String good, String bad) {
    assertThat(Formats.admits(format, good)).as(good).isTrue();
    assertThat(Formats.admits(format, bad)).as(bad).isFalse();
  }
}
