package dev.berth.apiserver.openapi;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.state.Served;
import java.util.List;

/// Writes the document of one group version.
final class DocumentWriter {
  private final String version;
  private final List<Served> kinds;

  DocumentWriter(String version, List<Served> kinds) {
    this.version = version;
    this.kinds = kinds;
  }

  ObjectNode write() {
    var document = JsonNodeFactory.instance.objectNode();
    document.put("openapi", "3.0.0");
    document.putObject("info").put("title", "Berth").put("version", version);
    var paths = document.putObject("paths");
    var components =
        new Components(Dialect.OPEN_API, document.putObject("components").putObject("schemas"));
    for (var served : kinds)
      components.kind(served).ifPresent(name -> new Paths(served, name).write(paths));
    return document;
  }
}
