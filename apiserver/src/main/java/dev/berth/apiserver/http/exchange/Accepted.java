package dev.berth.apiserver.http.exchange;

import dev.berth.apiserver.core.message.Refusal;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.proto.Protobuf;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/// In which form a client wants its answer (API-13).
public record Accepted(Encoding encoding, Shape shape) {
  public static final Accepted JSON = new Accepted(Encoding.JSON, Shape.OBJECT);
  public static final Accepted PROTOBUF = new Accepted(Encoding.PROTOBUF, Shape.OBJECT);

  public enum Encoding {
    JSON("application/json"),
    YAML("application/yaml"),
    /// For kinds that are built in, and for the metadata of others.
    PROTOBUF(Protobuf.MEDIA_TYPE);

    private final String mediaType;

    Encoding(String mediaType) {
      this.mediaType = mediaType;
    }

    public String mediaType() {
      return mediaType;
    }
  }

  public enum Shape {
    /// The object or list itself.
    OBJECT,
    /// `PartialObjectMetadata`, or a list of them.
    METADATA,
    /// As `kubectl get` prints it.
    TABLE
  }

  /// One entry of an `Accept` header.
  ///
  /// @param type such as `application/json`, in lower case
  public record Entry(String type, Map<String, String> parameters) {
    public String parameter(String name) {
      return parameters.getOrDefault(name, "");
    }

    private double quality() {
      try {
        return Double.parseDouble(parameters.getOrDefault("q", "1"));
      } catch (NumberFormatException unreadable) {
        return 1;
      }
    }
  }

  /// The first acceptable form of objects of a kind.
  ///
  /// @param header empty: anything goes
  /// @throws RefusedException if there is none
  public static Accepted of(String header, Served kind) {
    boolean custom = kind.custom().isPresent();
    return first(
        header,
        Encoding.values(),
        accepted -> !(custom && accepted.equals(PROTOBUF)) && !accepted.isTableInProtobuf());
  }

  /// The first acceptable form.
  ///
  /// @param offered the shapes that there are
  public static Accepted of(String header, Encoding[] encodings, Shape... offered) {
    var shapes = Set.of(offered);
    return first(
        header,
        encodings,
        accepted -> shapes.contains(accepted.shape) && !accepted.isTableInProtobuf());
  }

  private static Accepted first(String header, Encoding[] encodings, Predicate<Accepted> isServed) {
    boolean spoken = false;
    for (var entry : entries(header)) {
      var encoding = encoding(entry.type(), encodings);
      var accepted = encoding.flatMap(each -> shape(entry).map(it -> new Accepted(each, it)));
      if (accepted.filter(isServed).isPresent()) return accepted.get();
      spoken |= encoding.isPresent();
    }
    var types = List.of(encodings).stream().map(Encoding::mediaType).toList();
    throw spoken ? TransportRefusals.notAcceptable(types) : TransportRefusals.notSpoken(types);
  }

  /// In which encoding a refusal can be told: any that the client takes, else JSON, as what is not
  /// acceptable is always told.
  static Encoding ofRefusal(String header, Refusal refusal) {
    if (refusal.reason().equals("NotAcceptable")) return Encoding.JSON;
    for (var entry : entries(header)) {
      var encoding = encoding(entry.type(), Encoding.values());
      if (encoding.isPresent()) return encoding.get();
    }
    return Encoding.JSON;
  }

  /// A table has cells of any type, which protobuf has not; upstream passes it over likewise.
  private boolean isTableInProtobuf() {
    return encoding == Encoding.PROTOBUF && shape == Shape.TABLE;
  }

  /// The entries of a header, those that the client prefers first.
  public static List<Entry> entries(String header) {
    if (header.isBlank()) return List.of(new Entry("*/*", Map.of()));
    var entries = new ArrayList<Entry>();
    for (var text : header.split(",", -1)) entries.add(entry(text));
    entries.sort(Comparator.comparingDouble(Entry::quality).reversed());
    return entries;
  }

  private static Entry entry(String text) {
    var parts = text.split(";", -1);
    var parameters = new TreeMap<String, String>();
    for (int i = 1; i < parts.length; i++) {
      var parameter = parts[i].strip();
      int equals = parameter.indexOf('=');
      if (equals > 0)
        parameters.put(
            parameter.substring(0, equals).strip().toLowerCase(Locale.ROOT),
            parameter.substring(equals + 1).strip());
    }
    return new Entry(parts[0].strip().toLowerCase(Locale.ROOT), parameters);
  }

  private static Optional<Encoding> encoding(String type, Encoding[] encodings) {
    if (type.equals("*/*") || type.equals("application/*")) return Optional.of(encodings[0]);
    for (var encoding : encodings)
      if (encoding.mediaType().equals(type)) return Optional.of(encoding);
    return Optional.empty();
  }

  /// @return empty: a shape, or a version of it, that we do not know
  private static Optional<Shape> shape(Entry entry) {
    if (entry.parameter("as").isEmpty()) return Optional.of(Shape.OBJECT);
    if (!entry.parameter("g").equals("meta.k8s.io") || !entry.parameter("v").equals("v1"))
      return Optional.empty();
    return switch (entry.parameter("as")) {
      case "Table" -> Optional.of(Shape.TABLE);
      case "PartialObjectMetadata", "PartialObjectMetadataList" -> Optional.of(Shape.METADATA);
      default -> Optional.empty();
    };
  }
}
