import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/// Says at the end of `./berth test` how many tests ran, how many were left out, and why: a suite that
/// needs root or loop devices is not to vanish without a word where these are missing.
///
///     java Tally.java ROOT SINCE [--whole]
///
/// Reads Surefire's reports below ROOT that are not older than the file SINCE. With `--whole` a test
/// that was left out is a failure: exit code 1. A test that was run again because it failed, and then
/// passed, is named: it found a race, in itself or in what it tests, and somebody is to look at it.
final class Tally {
  private static final int CLASSES_NAMED = 4;

  private int passed;
  private int failed;
  private int leftOut;

  /// Each with the first line of what it said when it failed.
  private final Map<String, String> unsteady = new TreeMap<>();

  /// By reason: how many tests of which class. A class that is left out as a whole counts as one.
  private final Map<String, Map<String, Integer>> reasons = new TreeMap<>();

  public static void main(String[] arguments) throws Exception {
    var tally = new Tally();
    for (var report : reports(Path.of(arguments[0]), Path.of(arguments[1]))) tally.add(report);
    System.out.print(tally.text());
    if (List.of(arguments).contains("--whole") && tally.leftOut > 0) {
      System.err.println("berth: tests were left out, and this run was to be whole");
      System.exit(1);
    }
  }

  private static List<Path> reports(Path root, Path since) throws IOException {
    var start = Files.getLastModifiedTime(since);
    var wanted = FileSystems.getDefault().getPathMatcher("glob:**/surefire-reports/TEST-*.xml");
    try (var files = Files.find(root, 5, (file, _) -> wanted.matches(file))) {
      var reports = new ArrayList<Path>();
      for (var file : files.toList())
        if (Files.getLastModifiedTime(file).compareTo(start) >= 0) reports.add(file);
      return reports;
    }
  }

  private void add(Path report) throws IOException, ParserConfigurationException, SAXException {
    var cases =
        DocumentBuilderFactory.newDefaultInstance()
            .newDocumentBuilder()
            .parse(report.toFile())
            .getElementsByTagName("testcase");
    for (int i = 0; i < cases.getLength(); i++) add((Element) cases.item(i));
  }

  private void add(Element test) {
    var skipped = test.getElementsByTagName("skipped");
    if (skipped.getLength() > 0) {
      leftOut++;
      reasons
          .computeIfAbsent(reason((Element) skipped.item(0)), _ -> new TreeMap<>())
          .merge(simpleName(test.getAttribute("classname")), 1, Integer::sum);
    } else if (test.getElementsByTagName("failure").getLength() > 0
        || test.getElementsByTagName("error").getLength() > 0) {
      failed++;
    } else {
      passed++;
      for (var kind : List.of("flakyFailure", "flakyError")) {
        var first = test.getElementsByTagName(kind);
        if (first.getLength() > 0)
          unsteady.put(
              simpleName(test.getAttribute("classname")) + "." + test.getAttribute("name"),
              ((Element) first.item(0)).getAttribute("message").lines().findFirst().orElse(""));
      }
    }
  }

  /// A condition's reason is an attribute, that of an assumption the first line of a stack trace.
  /// Without JUnit's own words: `Assumption failed: needs root: skipped` is `needs root`.
  private static String reason(Element skipped) {
    var said = skipped.getAttribute("message");
    if (said.isEmpty()) said = skipped.getTextContent().lines().findFirst().orElse("");
    var words =
        said.replaceFirst("^(\\S+Exception: )?(Assumption failed: )?(skipped: )?", "")
            .replaceFirst(": skipped$", "")
            .strip();
    return words.isEmpty() ? "no reason given" : words;
  }

  private static String simpleName(String type) {
    return type.substring(type.lastIndexOf('.') + 1);
  }

  private String text() {
    var text = new StringBuilder();
    text.append("tests: %d passed, %d failed, %d skipped%n".formatted(passed, failed, leftOut));
    reasons.forEach((reason, classes) -> {
      int tests = classes.values().stream().mapToInt(Integer::intValue).sum();
      var names = classes.keySet().stream().limit(CLASSES_NAMED).toList();
      int more = classes.size() - names.size();
      text.append(
          "  %4d skipped: %s (%s%s)%n"
              .formatted(
                  tests,
                  reason,
                  String.join(", ", names),
                  more > 0 ? " and " + more + " more" : ""));
    });
    unsteady.forEach((test, said) ->
        text.append("  unsteady: %s failed and then passed: %s%n".formatted(test, said)));
    return text.toString();
  }
}
