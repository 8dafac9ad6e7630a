package dev.berth.apiserver.schema;

import dev.berth.kube.object.Resource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/// All structures, read from the table when the first of them is asked for.
public final class Schemas {
  private static final String TABLE = "kubernetes.txt";

  /// By qualified name, and by name alone where only one package has it.
  private final Map<String, Structure> structures;

  /// Packages by the `apiVersion` of their kinds.
  private final Map<String, String> packages;

  private Schemas() {
    var reader = new TableReader(TABLE);
    table().lines().filter(line -> !line.startsWith("#")).forEach(reader::line);
    structures = reader.structures();
    packages = reader.packages();
  }

  /// Read once, and only by those who need it.
  private static final class Holder {
    private static final Schemas KUBERNETES = new Schemas();
  }

  /// Structure of the objects of a kind; empty for kinds that the table does not know.
  public static Optional<Structure> of(Resource resource) {
    return of(resource.apiVersion(), resource.kind());
  }

  /// The same by what an object says of itself.
  ///
  /// @param apiVersion such as `apps/v1`
  public static Optional<Structure> of(String apiVersion, String kind) {
    var domain = Holder.KUBERNETES.packages.get(apiVersion);
    if (domain == null) return Optional.empty();
    return Optional.ofNullable(Holder.KUBERNETES.structures.get(domain + "." + kind));
  }

  /// The structure of a name that the table itself mentions.
  ///
  /// @param name qualified, or without its package if no other package has it
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
}
