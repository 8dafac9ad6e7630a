package dev.berth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Annotations, labels, taints and finalizers, which have a domain in front, are spelled in
/// `dev.berth.kube.name` and nowhere else: a name that is misspelt in one of two places is found by
/// nobody.
class NamesStandOnceTest {
  private static final Pattern TEXT = Pattern.compile("\"([a-z0-9.-]+\\.[a-z]+/[^\"%\\s]+)\"");

  @Test
  void aNameWithADomainIsSpelledInOnePlace() throws IOException {
    var names = new TreeMap<String, Path>();
    var twice = new ArrayList<String>();
    for (var file : main().filter(NamesStandOnceTest::isOfNames).toList())
      for (var name : texts(file)) {
        var other = names.put(name, file);
        if (other != null) twice.add(name + " in " + other + " and in " + file);
      }
    assertThat(names).hasSizeGreaterThan(30);
    for (var file : main().filter(file -> !isOfNames(file)).toList())
      for (var name : texts(file)) if (names.containsKey(name)) twice.add(name + " in " + file);
    assertThat(twice).as("names to be taken from dev.berth.kube.name").isEmpty();
  }

  private static Stream<Path> main() throws IOException {
    return SourceTree.javaFiles().stream().filter(file -> file.toString().contains("/src/main/"));
  }

  private static boolean isOfNames(Path file) {
    return file.toString().contains("/dev/berth/kube/name/");
  }

  private static List<String> texts(Path file) throws IOException {
    return Files.readString(file)
        .lines()
        .filter(line -> !line.strip().startsWith("//"))
        .flatMap(line -> TEXT.matcher(line).results())
        .map((MatchResult found) -> found.group(1))
        .toList();
  }
}
