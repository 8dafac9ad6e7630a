package dev.berth.cli.manifest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.apiserver.core.state.Kinds;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.schema.Conformance;
import dev.berth.apiserver.schema.Schemas;
import dev.berth.apiserver.schema.WrongTypeException;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// One object of a file, with how the API serves it.
///
/// @param object as the file has it, its namespace filled in
public record Manifest(Resource resource, ObjectNode object) {
  private static final ObjectMapper yaml =
      new ObjectMapper(new YAMLFactory())
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);

  /// A file cannot be used; the message says which, why and what to do.
  public static final class Broken extends Exception {
    private static final long serialVersionUID = 1;

    Broken(String message) {
      super(message);
    }
  }

  /// All objects of the files, in their order; `-` is standard input, `---` divides, a `List` is
  /// taken apart.
  public static List<Manifest> read(List<String> files, String namespace) throws Broken {
    var manifests = new ArrayList<Manifest>();
    for (var file : files) {
      int before = manifests.size();
      for (var document : documents(file)) add(manifests, file, document, namespace);
      if (manifests.size() == before)
        throw new Broken(file + " holds no object; write YAML or JSON with apiVersion and kind");
    }
    return manifests;
  }

  /// An object of which only its name is known.
  public static Manifest named(Resource resource, ObjectKey key) {
    var object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", resource.apiVersion()).put("kind", resource.kind());
    var meta = object.putObject("metadata").put("name", key.name());
    if (resource.namespaced()) meta.put("namespace", key.namespace());
    return new Manifest(resource, object);
  }

  private static List<JsonNode> documents(String file) throws Broken {
    try (var parser = yaml.getFactory().createParser(text(file))) {
      return yaml.readerFor(JsonNode.class).<JsonNode>readValues(parser).readAll();
    } catch (JsonProcessingException broken) {
      var where = broken.getLocation();
      throw new Broken(
          file
              + (where == null ? "" : ", line " + where.getLineNr())
              + ": neither YAML nor JSON: "
              + broken.getOriginalMessage().lines().findFirst().orElse("it cannot be read"));
    } catch (IOException unreadable) {
      throw new Broken(file + " cannot be read: " + unreadable.getMessage());
    }
  }

  private static String text(String file) throws IOException, Broken {
    if (Files.isDirectory(Path.of(file)))
      throw new Broken(file + " is a folder; name the files in it");
    if (file.equals("-")) return new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    try {
      return Files.readString(Path.of(file));
    } catch (NoSuchFileException missing) {
      throw new Broken(file + ": there is no such file");
    } catch (MalformedInputException binary) {
      throw new Broken(file + " is not text");
    }
  }

  private static void add(
      List<Manifest> manifests, String file, JsonNode document, String namespace) throws Broken {
    if (document == null || document.isNull() || document.isMissingNode()) return;
    if (!(document instanceof ObjectNode object))
      throw new Broken(file + ": an object was expected, with apiVersion and kind");
    var kind = Json.text(object, "kind");
    var apiVersion = Json.text(object, "apiVersion");
    if (kind.equals("List")) {
      for (var item : object.path("items")) add(manifests, file, item, namespace);
      return;
    }
    if (kind.isEmpty() || apiVersion.isEmpty())
      throw new Broken(file + ": an object without " + (kind.isEmpty() ? "kind" : "apiVersion"));
    var resource =
        Kinds.builtIn().all().stream()
            .map(Served::resource)
            .filter(each -> each.apiVersion().equals(apiVersion) && each.kind().equals(kind))
            .findFirst()
            .orElseThrow(() -> new Broken(file + ": " + NotServed.why(kind, apiVersion)));
    var meta = object.withObject("/metadata");
    if (Json.text(meta, "name").isEmpty())
      throw new Broken(file + ": a " + kind + " without metadata.name");
    if (resource.namespaced() && Json.text(meta, "namespace").isEmpty())
      meta.put("namespace", namespace);
    var manifest = new Manifest(resource, object);
    manifest.check(file);
    manifests.add(manifest);
  }

  /// A field that the kind does not have is a slip of the pen, as for kubectl (API-22).
  private void check(String file) throws Broken {
    var structure = Schemas.of(resource);
    if (structure.isEmpty()) return;
    var conformance = new Conformance();
    try {
      conformance.object(object, structure.get());
    } catch (WrongTypeException wrong) {
      throw new Broken(file + ": " + title() + ": " + wrong.getMessage());
    }
    var unknown = conformance.unknownFields();
    if (!unknown.isEmpty())
      throw new Broken(
          "%s: %s: a %s has no field %s"
              .formatted(file, title(), resource.kind(), String.join(", ", unknown)));
  }

  public ObjectKey key() {
    var meta = object.path("metadata");
    return ObjectKey.of(
        resource.namespaced() ? Json.text(meta, "namespace") : "", Json.text(meta, "name"));
  }

  /// As people type it: `pod/writer`.
  public String title() {
    return Ref.of(resource, key()).toString();
  }
}
