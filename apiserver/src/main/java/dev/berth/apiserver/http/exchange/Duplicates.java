package dev.berth.apiserver.http.exchange;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Finds the fields of a text that stand twice in the same object (API-22), of which a tree keeps
/// one.
final class Duplicates {
  /// Upstream has the same bound.
  private static final int MOST_NAMED = 100;

  private final Deque<Level> path = new ArrayDeque<>();
  private final Set<String> found = new LinkedHashSet<>();

  /// An object or a list that is being read.
  private static final class Level {
    private final boolean list;
    private final Set<String> names = new HashSet<>();
    private String name = "";
    private int index = -1;

    Level(boolean list) {
      this.list = list;
    }
  }

  private Duplicates() {}

  /// Their paths, such as `spec.containers[0].name`, each once, in the order of their second
  /// appearance.
  static List<String> in(JsonParser text) throws IOException {
    var duplicates = new Duplicates();
    for (var token = text.nextToken();
        token != null && duplicates.found.size() < MOST_NAMED;
        token = text.nextToken()) duplicates.take(token, text);
    return new ArrayList<>(duplicates.found);
  }

  private void take(JsonToken token, JsonParser text) throws IOException {
    var level = path.peekLast();
    if (token == JsonToken.FIELD_NAME && level != null) {
      level.name = text.currentName();
      if (!level.names.add(level.name)) found.add(shown());
      return;
    }
    if (token.isStructEnd()) {
      path.removeLast();
      return;
    }
    if (level != null && level.list) level.index++;
    if (token.isStructStart()) path.addLast(new Level(token == JsonToken.START_ARRAY));
  }

  private String shown() {
    var shown = new StringBuilder();
    for (var level : path)
      if (level.list) shown.append('[').append(level.index).append(']');
      else shown.append(shown.isEmpty() ? "" : ".").append(level.name);
    return shown.toString();
  }
}
