package dev.berth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/// Every Java file is laid out by google-java-format. It runs here and not as a Maven plugin
/// because Maven may run on a JDK that cannot parse our source (BUILD-05).
class FormatTest {
  private final Formatter formatter = new Formatter();
  private final boolean write = "write".equals(System.getProperty("berth.format"));

  @Test
  void everyFileIsLaidOut() throws IOException {
    var wrong = new ArrayList<String>();
    for (Path file : SourceTree.javaFiles()) {
      var source = Files.readString(file);
      var laidOut = laidOut(file, source);
      if (laidOut.equals(source)) continue;
      if (write) Files.writeString(file, laidOut);
      else wrong.add(SourceTree.root().relativize(file).toString());
    }
    assertThat(wrong).as("files to lay out again: run `./berth format`").isEmpty();
  }

  private String laidOut(Path file, String source) {
    try {
      return formatter.formatSourceAndFixImports(source);
    } catch (FormatterException broken) {
      throw new IllegalStateException(file + " does not parse: " + broken.getMessage(), broken);
    }
  }
}
