package differential;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// A request, as a file has it.
///
/// @param save name of a value to keep, by the JSON pointer of where it is found
record Row(
    String title,
    String method,
    String path,
    Map<String, String> headers,
    Map<String, String> save,
    String body) {

  Row(String method, String path, String body) {
    this("", method, path, Map.of(), Map.of(), body);
  }

  /// The requests of a file, in order.
  static List<Row> all(Path file) throws IOException {
    var rows = new ArrayList<Row>();
    for (var part : ("\n" + Files.readString(file)).split("\n### ")) {
      var lines = part.lines().toList();
      if (lines.size() < 2 || rows.isEmpty() && part.isBlank() || lines.getFirst().isBlank())
        continue;
      if (lines.getFirst().startsWith("#")) continue;
      var request = lines.get(1).split(" ", 2);
      var headers = new LinkedHashMap<String, String>();
      var save = new LinkedHashMap<String, String>();
      int at = 2;
      for (; at < lines.size() && !lines.get(at).isBlank(); at++) {
        var header = lines.get(at).split(": *", 2);
        if (header[0].equals("Save")) {
          var words = header[1].split(" ");
          save.put(words[0], words[1]);
        } else headers.put(header[0], header.length > 1 ? header[1] : "");
      }
      var body = lines.stream().skip(at).collect(Collectors.joining("\n")).strip();
      rows.add(new Row(lines.getFirst(), request[0], request[1], headers, save, body));
    }
    return rows;
  }
}
