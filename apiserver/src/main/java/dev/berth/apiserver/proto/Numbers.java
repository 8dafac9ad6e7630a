package dev.berth.apiserver.proto;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NumericNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;

/// Makes the nodes of one text, and remembers whether there was a number beyond all floating-point
/// numbers of 64 bits: clients in Go cannot read such an object, nor a list with it.
public final class Numbers extends JsonNodeFactory {
  private static final long serialVersionUID = 1;

  private String beyond = "";

  /// The first such number of the text; empty: there is none.
  public String beyond() {
    return beyond;
  }

  /// The first such number in a tree.
  public static Optional<String> beyond(JsonNode tree) {
    if (tree.isNumber()) return Optional.of(tree).filter(Numbers::isBeyond).map(Numbers::text);
    for (var part : tree) {
      var found = beyond(part);
      if (found.isPresent()) return found;
    }
    return Optional.empty();
  }

  private static boolean isBeyond(JsonNode number) {
    return !number.isInt() && !number.isLong() && !Double.isFinite(number.doubleValue());
  }

  private static String text(JsonNode number) {
    return number.asText().replace("+", "").toLowerCase(Locale.ROOT);
  }

  @Override
  public ValueNode numberNode(BigDecimal value) {
    return noted(super.numberNode(value));
  }

  @Override
  public ValueNode numberNode(BigInteger value) {
    return noted(super.numberNode(value));
  }

  @Override
  public NumericNode numberNode(double value) {
    return (NumericNode) noted(super.numberNode(value));
  }

  private ValueNode noted(ValueNode node) {
    if (beyond.isEmpty() && isBeyond(node)) beyond = text(node);
    return node;
  }
}
