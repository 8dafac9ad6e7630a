package dev.berth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// A metric that a document names is one that some code shows: whoever builds an alert on another
/// waits for it for ever.
class MetricsOfDocsTest {
  /// In backticks, in lower case, with a line below between words; `…_` stands for what the name
  /// before it begins with.
  private static final Pattern NAME =
      Pattern.compile("`(?:…_)?([a-z]+(?:_[a-z0-9]+)+)(?:\\{[^`]*)?`");

  private static final Pattern TEXT = Pattern.compile("[\"/]([a-z0-9_]+)\"");

  @Test
  void everyMetricOfTheDocumentsIsInTheCode() throws IOException {
    var texts = new TreeSet<String>();
    for (var file : SourceTree.javaFiles())
      if (file.toString().contains("/src/main/")) found(file, TEXT).forEach(texts::add);
    var unknown = new TreeSet<String>();
    int names = 0;
    for (var file : SourceTree.files())
      if (isDocument(file))
        for (var name : found(file, NAME).toList()) {
          names++;
          if (!known(name, texts)) unknown.add(name + " in " + SourceTree.root().relativize(file));
        }
    assertThat(names).isGreaterThan(10);
    assertThat(unknown).as("named in documents, and nowhere in the code").isEmpty();
  }

  private static boolean isDocument(Path file) {
    var place = SourceTree.root().relativize(file);
    return place.startsWith("docs") && place.toString().endsWith(".md");
  }

  private static Stream<String> found(Path file, Pattern pattern) throws IOException {
    return pattern.matcher(Files.readString(file)).results().map(it -> it.group(1));
  }

  /// As it stands, put together of several texts, or without the words before it.
  private static boolean known(String name, TreeSet<String> texts) {
    if (texts.contains(name)) return true;
    for (int at = name.indexOf('_'); at >= 0; at = name.indexOf('_', at + 1))
      if (texts.contains(name.substring(0, at + 1)) && known(name.substring(at + 1), texts))
        return true;
    return texts.stream().anyMatch(text -> text.endsWith("_" + name));
  }
}
