package dev.berth.apiserver.proto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.proto.RandomObjects.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// API-16: bytes that are no object are refused in words, and nothing else happens.
class HostileBytesTest {
  private static final Kind POD = new Kind("v1", "Pod");

  /// Cut off anywhere, it is an object or refused.
  @Test
  void whatIsCutOffIsRefused() {
    var bytes = Protobuf.encode(new RandomObjects(7).object(POD));
    int refused = 0;
    for (int length = 0; length < bytes.length; length++)
      if (isRefused(Arrays.copyOf(bytes, length))) refused++;
    assertThat(refused).isGreaterThan(bytes.length / 2);
  }

  @Test
  void whatIsGarbledIsReadOrRefused() {
    var random = new Random(11);
    for (int round = 0; round < 3000; round++) {
      var bytes = Protobuf.encode(new RandomObjects(round % 40).object(POD));
      for (int i = 0; i < 3; i++)
        bytes[4 + random.nextInt(bytes.length - 4)] ^= (byte) random.nextInt();
      isRefused(bytes);
    }
  }

  private static boolean isRefused(byte[] bytes) {
    try {
      Protobuf.decode(bytes, "v1", "Pod");
      return false;
    } catch (UnreadableException refused) {
      return true;
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | empty data",
        "7b7d | prefix",
        "6b387300 | empty body",
        // a length below zero, one beyond the end, a group that does not end, one that does not
        // begin
        "6b38730012ffffffffffffffffff01 | negative size",
        "6b38730012ff01 | ended unexpectedly",
        "6b3873000b | end-group tag did not match",
        "6b3873000c | ",
        // metadata as a number
        "6b38730012020801 | wrong wire type",
        // metadata that is longer than what it stands in
        "6b38730012030a0500 | ended unexpectedly",
      })
  void whatIsNoMessageIsRefused(String hex, String words) {
    var bytes = HexFormat.of().parseHex(hex);
    assertThatThrownBy(() -> Protobuf.decode(bytes, "v1", "Pod"))
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining(words == null ? "" : words);
  }

  @Test
  void schemasThatAreNestedTooDeepAreRefused() throws Exception {
    assertThat(Protobuf.decode(definition(100), "", "")).isNotEmpty();
    var deep = definition(5000);
    assertThatThrownBy(() -> Protobuf.decode(deep, "", ""))
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining("nested too deep");
  }

  /// Groups within groups, which nobody sends and everybody has to pass over.
  @Test
  void groupsThatAreNestedTooDeepAreRefused() {
    var bytes = new byte[200_000];
    Arrays.fill(bytes, (byte) (15 << 3 | 3));
    System.arraycopy("k8s\0".getBytes(StandardCharsets.US_ASCII), 0, bytes, 0, 4);
    assertThatThrownBy(() -> Protobuf.decode(bytes, "v1", "Pod"))
        .isInstanceOf(UnreadableException.class);
  }

  private static byte[] definition(int depth) {
    var out = new Output();
    var begins = new int[depth];
    // Written by hand: JSON of that depth would not be.
    out.raw("k8s\0".getBytes(StandardCharsets.US_ASCII));
    int meta = out.begin(1);
    out.text(1, "apiextensions.k8s.io/v1");
    out.text(2, "CustomResourceDefinition");
    out.end(meta);
    int raw = out.begin(2);
    int spec = out.begin(2);
    int version = out.begin(7);
    int validation = out.begin(4);
    int schema = out.begin(1);
    for (int i = 0; i < depth; i++) begins[i] = out.begin(28); // not
    for (int i = depth - 1; i >= 0; i--) out.end(begins[i]);
    for (int begin : new int[] {schema, validation, version, spec, raw}) out.end(begin);
    return out.toBytes();
  }

  /// A field that comes a million times takes what a million values take, and the last one counts.
  @Test
  void aFieldThatComesAgainReplacesWhatCameBefore() throws Exception {
    var out = new Output();
    out.raw("k8s\0".getBytes(StandardCharsets.US_ASCII));
    int raw = out.begin(2);
    int meta = out.begin(1);
    for (int i = 0; i < 100_000; i++) out.text(1, "n" + i);
    out.end(meta);
    int again = out.begin(1);
    out.text(3, "space");
    out.end(again);
    out.end(raw);
    var read = Protobuf.decode(out.toBytes(), "v1", "Pod");
    ObjectNode expected = JsonNodeFactory.instance.objectNode();
    expected.put("name", "n99999").put("namespace", "space");
    assertThat(read.path("metadata")).isEqualTo(expected);
  }
}
