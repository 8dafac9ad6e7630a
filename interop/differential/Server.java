package differential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.apiserver.proto.Protobuf;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/// Whom is asked.
final class Server {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final Pattern VALUE = Pattern.compile("\\$\\{([a-zA-Z0-9]+)}");

  final Map<String, String> values = new HashMap<>();
  private final HttpClient client;
  private final URI url;
  private final String token;

  Server(String url, String token) throws Exception {
    var context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Trusting()}, new SecureRandom());
    this.client =
        HttpClient.newBuilder().sslContext(context).version(HttpClient.Version.HTTP_1_1).build();
    this.url = URI.create(url);
    this.token = token;
  }

  String filled(String text) {
    return VALUE
        .matcher(text)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(
                    values.getOrDefault(found.group(1), found.group())));
  }

  Answer send(String method, String path, String body) throws Exception {
    return send(new Row(method, path, body));
  }

  Answer send(Row row) throws Exception {
    var request = HttpRequest.newBuilder(url.resolve(filled(row.path())));
    request.timeout(Duration.ofSeconds(60));
    var type = row.headers().getOrDefault("Content-Type", "");
    boolean known = false;
    for (var header : row.headers().entrySet()) {
      known |= header.getKey().equals("Authorization");
      if (!header.getValue().isEmpty())
        request.header(header.getKey(), filled(header.getValue()));
    }
    if (!known) request.header("Authorization", "Bearer " + token);
    var text = filled(row.body());
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    if (!text.isEmpty() && type.startsWith(Protobuf.MEDIA_TYPE) && !text.startsWith("raw "))
      bytes = Protobuf.encode((ObjectNode) YAML.readTree(text));
    else if (text.startsWith("raw ")) bytes = text.substring(4).getBytes(StandardCharsets.UTF_8);
    else if (!text.isEmpty() && !row.headers().containsKey("Content-Type")) {
      request.header("Content-Type", "application/json");
      bytes = JSON.writeValueAsBytes(YAML.readTree(text));
    }
    request.method(
        row.method(),
        bytes.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(bytes));
    Answer answer;
    try {
      answer = new Answer(sent(request.build()));
    } catch (IOException unanswered) {
      return new Answer(unanswered);
    }
    keep(row, answer.body);
    return answer;
  }

  /// Once more if the connection was ended that an earlier request had used.
  private HttpResponse<byte[]> sent(HttpRequest request) throws Exception {
    try {
      return client.send(request, BodyHandlers.ofByteArray());
    } catch (IOException ended) {
      return client.send(request, BodyHandlers.ofByteArray());
    }
  }

  private void keep(Row row, JsonNode body) {
    var metadata = body.path("metadata");
    if (metadata.has("uid")) {
      values.put("uid", metadata.path("uid").asText());
      values.put("rv", metadata.path("resourceVersion").asText());
    } else if (metadata.has("resourceVersion"))
      values.put("listrv", metadata.path("resourceVersion").asText());
    if (metadata.has("continue")) values.put("continue", metadata.path("continue").asText());
    row.save().forEach((name, pointer) -> values.put(name, body.at(pointer).asText()));
  }
}
