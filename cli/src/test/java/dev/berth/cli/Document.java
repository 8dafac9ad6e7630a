package dev.berth.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A document with what can be tested in it.
record Document(List<String> lines) {
  private static final String PROMPT = "    $ ";
  private static final String INDENT = "    ";

  static Document read(Path file) throws IOException {
    return new Document(Files.readAllLines(file));
  }

  /// A command that is shown, and what is shown of its output.
  ///
  /// @param output lines; `…` stands for anything
  record Shown(String command, List<String> output) {
    /// Which of the lines `text` does not have.
    List<String> missingIn(String text) {
      return output.stream().filter(line -> !pattern(line).matcher(text).find()).toList();
    }

    private static Pattern pattern(String line) {
      return Pattern.compile(
          Stream.of(line.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
    }
  }

  /// All commands, in order.
  List<Shown> commands() {
    var commands = new ArrayList<Shown>();
    for (var i = 0; i < lines.size(); i++) {
      if (!lines.get(i).startsWith(PROMPT)) continue;
      var output =
          lines.subList(i + 1, lines.size()).stream()
              .takeWhile(line -> line.startsWith(INDENT) && !line.startsWith(PROMPT))
              .map(String::strip)
              .toList();
      commands.add(new Shown(lines.get(i).substring(PROMPT.length()), output));
    }
    return commands;
  }

  /// Every block of code, as it stands there.
  List<String> java() {
    var blocks = new ArrayList<String>();
    for (var i = 0; i < lines.size(); i++)
      if (lines.get(i).equals("```java"))
        blocks.add(
            lines.subList(i + 1, lines.size()).stream()
                .takeWhile(line -> !line.equals("```"))
                .collect(Collectors.joining("\n")));
    return blocks;
  }
}
