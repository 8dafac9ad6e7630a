package dev.berth.apiserver.core.field;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.schema.Place;
import dev.berth.kube.value.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A field of an object that is being checked, there or not, and where to say what is wrong with
/// it. All fields of one object share their list of errors, of which only the first are told.
public final class Field {
  /// So many errors are told, of which each repeats a value.
  private static final int MOST_ERRORS = 100;

  /// What comes after the path of the field above: a name, a key or a number.
  private enum Step {
    NAME,
    KEY,
    NUMBER
  }

  private final JsonNode node;

  /// The field that this one is in; null: the path says itself all that there is to say.
  private final @Nullable Field above;

  private final Step step;

  /// The name or key; where there is nothing above, the path.
  private final String path;

  private final int number;
  private final List<FieldError> errors;

  private Field(
      JsonNode node,
      @Nullable Field above,
      Step step,
      String path,
      int number,
      List<FieldError> errors) {
    this.node = node;
    this.above = above;
    this.step = step;
    this.path = path;
    this.number = number;
    this.errors = errors;
  }

  private Field(JsonNode node, String path, List<FieldError> errors) {
    this(node, null, Step.NAME, path, 0, errors);
  }

  /// The whole of `object`, in which nothing has been found wrong yet.
  public static Field root(JsonNode object) {
    return new Field(object, "", new ArrayList<>());
  }

  /// What was found wrong so far.
  public List<FieldError> errors() {
    return List.copyOf(errors);
  }

  public Field at(String name) {
    return new Field(node.path(name), this, Step.NAME, name, 0, errors);
  }

  /// The value under `key` of a map whose keys users choose.
  public Field key(String key) {
    return new Field(node.path(key), this, Step.KEY, key, 0, errors);
  }

  /// A field of which the errors say another name than the object has.
  public Field namedAs(String name) {
    return new Field(node, name, errors);
  }

  /// The same place, with another value in it.
  public Field standingAs(JsonNode other) {
    return new Field(other, above, step, path, number, errors);
  }

  public List<Field> elements() {
    return IntStream.range(0, node.isArray() ? node.size() : 0)
        .mapToObj(i -> new Field(node.path(i), this, Step.NUMBER, "", i, errors))
        .toList();
  }

  /// The names of the fields of an object.
  public List<String> names() {
    var names = new ArrayList<String>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }

  public JsonNode node() {
    return node;
  }

  public String text() {
    return node.asText("");
  }

  /// Whether the field is there; an empty text, list or object is.
  public boolean isSet() {
    return !node.isMissingNode() && !node.isNull();
  }

  /// Whether the field is absent, or an empty text, list or object.
  public boolean isEmpty() {
    return node.isValueNode() ? text().isEmpty() : node.isEmpty();
  }

  public boolean is(String value) {
    return node.isTextual() && node.asText().equals(value);
  }

  public boolean isOneOf(String... values) {
    return List.of(values).contains(text());
  }

  public Optional<Quantity> quantity() {
    return isSet() ? Optional.of(Quantity.parse(text())) : Optional.empty();
  }

  /// Whether both hold the same value; two absent fields do.
  public boolean same(Field other) {
    return Trees.same(node, other.node);
  }

  public void required() {
    required("");
  }

  public void required(String detail) {
    add(FieldError.required(path(), detail));
  }

  /// Says so if the field is empty.
  ///
  /// @return whether it is not
  public boolean demand() {
    if (isEmpty()) required();
    return !isEmpty();
  }

  public void invalid(String detail) {
    add(FieldError.invalid(path(), printed(), detail));
  }

  /// Says what is wrong with a part of the field that has no path of its own, such as a key.
  public void invalid(String part, String detail) {
    add(FieldError.invalid(path(), "\"" + part + "\"", detail));
  }

  public void forbidden(String detail) {
    add(FieldError.forbidden(path(), detail));
  }

  public void notSupported(String... supported) {
    add(FieldError.notSupported(path(), printed(), supported));
  }

  /// Says so if the field is none of the values.
  public void demandOneOf(String... values) {
    if (!isOneOf(values)) notSupported(values);
  }

  /// Says so if the field is there and a number below `least`.
  public void atLeast(long least) {
    if (node.isNumber() && node.asLong() < least)
      invalid("must be greater than or equal to " + least);
  }

  public void duplicate() {
    add(FieldError.duplicate(path(), printed()));
  }

  public void notFound() {
    add(FieldError.notFound(path(), printed()));
  }

  public void tooLong(int mostBytes) {
    add(FieldError.tooLong(path(), mostBytes));
  }

  public void tooMany(int most) {
    add(FieldError.tooMany(path(), node.size(), most));
  }

  /// Says so if the field differs from `stored`.
  public void immutable(Field stored) {
    if (!same(stored)) invalid("field is immutable");
  }

  /// Says what was found otherwise.
  public void add(FieldError error) {
    if (errors.size() < MOST_ERRORS) errors.add(error.shortened());
  }

  /// Such as `spec.volumes[0].name`; empty for the whole.
  public String path() {
    if (above == null) return path;
    return switch (step) {
      case NAME -> Place.field(above.path(), path);
      case KEY -> Place.part(above.path(), "[" + path + "]");
      case NUMBER -> Place.element(above.path(), number);
    };
  }

  private String printed() {
    if (errors.size() >= MOST_ERRORS) return ""; // nobody will see it
    return node.isMissingNode() ? "null" : node.toString();
  }

  @Override
  public String toString() {
    return path() + "=" + node;
  }
}
