package judge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What an API server's audit log says of each user's writes, read as the log grows.
final class Writes {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final RandomAccessFile log;
  private final Map<String, List<JsonNode>> all = new HashMap<>();
  private String rest = "";

  Writes(Path file) throws Exception {
    log = new RandomAccessFile(file.toFile(), "r");
  }

  synchronized List<JsonNode> of(String user) throws Exception {
    var bytes = new byte[(int) (log.length() - log.getFilePointer())];
    log.readFully(bytes);
    // ASCII but for what is within texts, of which none is cut here.
    var text = rest + new String(bytes, StandardCharsets.UTF_8);
    int end = text.lastIndexOf('\n') + 1;
    rest = text.substring(end);
    for (var line : text.substring(0, end).split("\n")) {
      if (line.isBlank()) continue;
      var entry = JSON.readTree(line);
      all.computeIfAbsent(entry.at("/user/username").asText(), user_ -> new ArrayList<>()).add(entry);
    }
    return List.copyOf(all.getOrDefault(user, List.of()));
  }
}
