package dev.berth.apiserver.openapi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.state.Catalog;
import dev.berth.apiserver.core.state.Kinds;
import dev.berth.apiserver.core.state.Served;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The documents, one for each group version, and their index.
public final class OpenApi {
  private static final ObjectMapper JSON = new ObjectMapper();

  /// By version and path.
  private static final Map<String, Document> BUILT_IN = new ConcurrentHashMap<>();

  private final Map<String, Document> documents;

  /// @param version of the server, as `/version` has it
  public OpenApi(String version, Kinds kinds) {
    documents = new LinkedHashMap<>();
    byGroupVersion(kinds)
        .forEach((path, served) -> documents.put(path, document(version, path, served)));
  }

  /// Those of groups that nobody adds to are the same whatever custom kinds there are.
  private static Document document(String version, String path, List<Served> served) {
    boolean builtIn = served.stream().allMatch(kind -> kind.custom().isEmpty());
    return builtIn
        ? BUILT_IN.computeIfAbsent(
            version + " " + path, _ -> document(new DocumentWriter(version, served)))
        : document(new DocumentWriter(version, served));
  }

  /// The document of one group version.
  public static final class Document {
    private final byte[] json;
    private final String hash;

    private Document(byte[] json, String hash) {
      this.json = json;
      this.hash = hash;
    }

    /// The document in UTF-8; not to be changed.
    public byte[] json() {
      return json;
    }

    /// Changes when the document does.
    public String hash() {
      return hash;
    }
  }

  /// Where each document is: `{"paths": {"api/v1": {"serverRelativeURL": "/openapi/v3/api/v1?…`.
  public ObjectNode index() {
    var index = JsonNodeFactory.instance.objectNode();
    var paths = index.putObject("paths");
    documents.forEach(
        (path, document) -> paths.putObject(path).put("serverRelativeURL", url(path, document)));
    return index;
  }

  /// The document of a group version.
  ///
  /// @param path of a group version, such as `apis/storage.k8s.io/v1`
  public Optional<Document> document(String path) {
    return Optional.ofNullable(documents.get(path));
  }

  /// Where a document is for ever.
  public static String url(String path, Document document) {
    return "/openapi/v3/" + path + "?hash=" + document.hash();
  }

  private static Map<String, List<Served>> byGroupVersion(Kinds kinds) {
    return Stream.concat(kinds.all().stream(), Catalog.reviews().stream())
        .collect(
            Collectors.groupingBy(
                served -> Paths.groupVersion(served.resource()).substring(1),
                LinkedHashMap::new,
                Collectors.toList()));
  }

  private static Document document(DocumentWriter writer) {
    try {
      var json = JSON.writeValueAsBytes(writer.write());
      var hash = MessageDigest.getInstance("SHA-256").digest(json);
      return new Document(json, HexFormat.of().withUpperCase().formatHex(Arrays.copyOf(hash, 16)));
    } catch (JsonProcessingException | NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("a JSON tree has a text and the text a hash", impossible);
    }
  }
}
