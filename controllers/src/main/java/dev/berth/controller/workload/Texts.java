package dev.berth.controller.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// Short words for long texts.
public final class Texts {
  /// No vowels and nothing that looks like one, so that chance spells no word, as upstream's names.
  private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

  private static final int FNV_START = 0x811c9dc5;
  private static final int FNV_PRIME = 0x01000193;

  private Texts() {}

  /// Up to ten characters that stand for a text: FNV-1a.
  public static String hash(String text) {
    int hash = fnv(text);
    var word = new StringBuilder();
    for (char digit : Integer.toUnsignedString(hash).toCharArray())
      word.append(ALPHABET.charAt((digit - '0' + 7) % ALPHABET.length()));
    return word.toString();
  }

  private static int fnv(String text) {
    int hash = FNV_START;
    for (byte each : text.getBytes(StandardCharsets.UTF_8))
      hash = (hash ^ (each & 0xff)) * FNV_PRIME;
    return hash;
  }

  /// Five characters that stand for a text, to tell names apart.
  public static String word(String text) {
    var word = new StringBuilder();
    long rest = Integer.toUnsignedLong(fnv(text));
    for (int i = 0; i < 5; i++, rest /= ALPHABET.length())
      word.append(ALPHABET.charAt((int) (rest % ALPHABET.length())));
    return word.toString();
  }

  /// Of a tree whose fields are in whatever order.
  public static String hash(JsonNode tree, int collisions) {
    return hash(canonical(tree) + (collisions == 0 ? "" : "/" + collisions));
  }

  /// The same text for the same tree, in whatever order its fields are.
  public static String canonical(JsonNode tree) {
    return sorted(tree).toString();
  }

  private static JsonNode sorted(JsonNode tree) {
    if (tree.isArray()) {
      var array = JsonNodeFactory.instance.arrayNode();
      tree.forEach(each -> array.add(sorted(each)));
      return array;
    }
    if (!tree.isObject()) return tree;
    var object = JsonNodeFactory.instance.objectNode();
    tree.properties().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(each -> object.set(each.getKey(), sorted(each.getValue())));
    return object;
  }
}
