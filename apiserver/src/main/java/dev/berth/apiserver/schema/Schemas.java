package dev.berth.apiserver.schema;

import dev.berth.apiserver.schema.Schema.ListOf;
import dev.berth.apiserver.schema.Schema.MapOf;
import dev.berth.apiserver.schema.Schema.Reference;
import dev.berth.apiserver.schema.Schema.Scalar;
import dev.berth.apiserver.schema.Structure.Field;
import dev.berth.kube.model.Resource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// All structures, read from the table when the first of them is asked for.
public final class Schemas {
  private static final String TABLE = "kubernetes.txt";

  private static final Map<String, Scalar> SCALARS =
      Stream.of(Scalar.values()).collect(Collectors.toMap(Scalar::word, scalar -> scalar));

  private final Map<String, Structure> structures = new LinkedHashMap<>();

  private Schemas() {
    var reader = new Reader();
    table().lines().filter(line -> !line.startsWith("#")).forEach(reader::line);
    reader.end();
  }

  /// Read once, and only by those who need it.
  private static final class Holder {
    private static final Schemas KUBERNETES = new Schemas();
  }

  /// Structure of the objects of a kind; empty for kinds that the table does not know.
  public static Optional<Structure> of(Resource resource) {
    return Optional.ofNullable(Holder.KUBERNETES.structures.get(resource.kind()));
  }

  /// The structure of a name that the table itself mentions.
  ///
  /// @throws IllegalStateException if the table has no such structure
  public static Structure structure(String name) {
    var structure = Holder.KUBERNETES.structures.get(name);
    if (structure == null) throw new IllegalStateException(TABLE + " has no " + name);
    return structure;
  }

  private static String table() {
    try (var in = Schemas.class.getResourceAsStream(TABLE)) {
      if (in == null) throw new IllegalStateException(TABLE + " is missing from the program");
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Puts the table's lines together.
  private final class Reader {
    private String domain = "";
    private String name = "";
    private List<Field> fields = new ArrayList<>();

    void line(String line) {
      if (line.startsWith("package ")) domain = line.substring("package ".length());
      else if (line.startsWith("  ")) fields.add(field(line.strip().split(" ")));
      else if (line.isEmpty()) end();
      else name = line;
    }

    void end() {
      if (name.isEmpty()) return;
      structures.put(name, Structure.of(name, domain, fields));
      name = "";
      fields = new ArrayList<>();
    }

    /// `name! type strategy by key`.
    private static Field field(String[] words) {
      boolean required = words[0].endsWith("!");
      var name = required ? words[0].substring(0, words[0].length() - 1) : words[0];
      return new Field(
          name,
          schema(words[1]),
          required,
          words.length > 2 ? words[2] : "",
          words.length > 4 ? words[4] : "");
    }

    private static Schema schema(String type) {
      if (type.startsWith("[]")) return new ListOf(schema(type.substring(2)));
      if (type.startsWith("{}")) return new MapOf(schema(type.substring(2)));
      var scalar = SCALARS.get(type);
      return scalar == null ? new Reference(type) : scalar;
    }
  }
}
