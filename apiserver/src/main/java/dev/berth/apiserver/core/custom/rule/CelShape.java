package dev.berth.apiserver.core.custom.rule;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What rules in CEL may know of a value: its type, and those of its parts that its schema
/// declares. Two shapes are equal if rules can tell no difference (API-123).
public final class CelShape {
  /// A text, a number, or what rules do not see.
  public enum Form {
    HIDDEN,
    DYNAMIC,
    TEXT,
    BYTES,
    DURATION,
    DATE,
    TIME,
    WHOLE,
    NUMBER,
    TRUTH,
    LIST,
    MAP,
    OBJECT
  }

  private static final String ELEMENT = "@element";

  private final Form form;
  private final Map<String, CelShape> fields;
  private final Optional<CelShape> element;
  private volatile @Nullable String digest;

  private CelShape(Form form, Map<String, CelShape> fields, Optional<CelShape> element) {
    this.form = form;
    this.fields = fields;
    this.element = element;
  }

  public static CelShape of(Form form) {
    return new CelShape(form, Map.of(), Optional.empty());
  }

  /// Hidden if its elements are.
  public static CelShape list(CelShape element) {
    return element.form == Form.HIDDEN
        ? element
        : new CelShape(Form.LIST, Map.of(), Optional.of(element));
  }

  /// Hidden if its values are.
  public static CelShape map(CelShape value) {
    return value.form == Form.HIDDEN ? value : new CelShape(Form.MAP, Map.of(), Optional.of(value));
  }

  /// @param fields by their names in rules; those that are hidden are not there
  public static CelShape object(Map<String, CelShape> fields) {
    var shown = new TreeMap<>(fields);
    shown.values().removeIf(field -> field.form == Form.HIDDEN);
    return new CelShape(Form.OBJECT, shown, Optional.empty());
  }

  Form form() {
    return form;
  }

  Optional<CelShape> field(String name) {
    return Optional.ofNullable(fields.get(name));
  }

  CelShape element() {
    return element.orElseThrow();
  }

  private String digest() {
    var known = digest;
    if (known != null) return known;
    try {
      var hash = MessageDigest.getInstance("SHA-256");
      hash.update((form + "\n").getBytes(StandardCharsets.UTF_8));
      fields.forEach((name, field) ->
          hash.update((name + " " + field.digest() + "\n").getBytes(StandardCharsets.UTF_8)));
      element.ifPresent(each -> hash.update(each.digest().getBytes(StandardCharsets.UTF_8)));
      known = HexFormat.of().formatHex(hash.digest());
    } catch (NoSuchAlgorithmException never) {
      throw new IllegalStateException("every JDK has SHA-256", never);
    }
    digest = known;
    return known;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CelShape shape && shape.digest().equals(digest());
  }

  @Override
  public int hashCode() {
    return digest().hashCode();
  }

  @Override
  public String toString() {
    return form.toString();
  }

  /// @param name under which [#types] knows it, and its parts by the way to them
  @SuppressWarnings("Immutable") // but for the digest, which is always the same
  CelType type(String name) {
    return switch (form) {
      case HIDDEN, DYNAMIC -> SimpleType.DYN;
      case TEXT -> SimpleType.STRING;
      case BYTES -> SimpleType.BYTES;
      case DURATION -> SimpleType.DURATION;
      case DATE, TIME -> SimpleType.TIMESTAMP;
      case WHOLE -> SimpleType.INT;
      case NUMBER -> SimpleType.DOUBLE;
      case TRUTH -> SimpleType.BOOL;
      case LIST -> ListType.create(element().type(name + "." + ELEMENT));
      case MAP -> MapType.create(SimpleType.STRING, element().type(name + "." + ELEMENT));
      case OBJECT ->
          StructType.create(
              name,
              ImmutableSet.copyOf(fields.keySet()),
              field -> field(field).map(shape -> shape.type(name + "." + field)));
    };
  }

  /// Knows this shape as `name`, and what is in it.
  CelTypeProvider types(String name) {
    return new CelTypeProvider() {
      @Override
      public ImmutableCollection<CelType> types() {
        return ImmutableList.of();
      }

      @Override
      public Optional<CelType> findType(String wanted) {
        if (!wanted.equals(name) && !wanted.startsWith(name + ".")) return Optional.empty();
        Optional<CelShape> at = Optional.of(CelShape.this);
        for (var step : wanted.substring(name.length()).split("\\.", -1))
          if (!step.isEmpty()) at = at.flatMap(shape -> shape.step(step));
        return at.filter(shape -> shape.form == Form.OBJECT).map(shape -> shape.type(wanted));
      }
    };
  }

  private Optional<CelShape> step(String name) {
    return name.equals(ELEMENT) ? element : field(name);
  }
}
