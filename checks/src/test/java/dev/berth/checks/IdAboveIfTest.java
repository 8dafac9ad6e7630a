package dev.berth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// A comment on an `if` without braces stands above it. At the end of its line the formatter sets
/// the statement below into the column of the `if`, where it reads as unconditional.
class IdAboveIfTest {
  /// `if (…) // XYZ-01`, and the same after `for`, `while` and `else`.
  private static final Pattern HEAD =
      Pattern.compile("(?:\\} )?(?:else )?(?:(?:if|for|while) \\(.*\\)|else) //.*");

  /// The last line of a longer condition.
  private static final Pattern TAIL = Pattern.compile("[^/]*\\) //.*");

  private static final Pattern STATEMENT =
      Pattern.compile("(?:return|throw|continue|break|yield)\\b.*");

  @Test
  void noStatementReadsAsUnconditional() throws IOException {
    var wrong = new ArrayList<String>();
    for (var file : SourceTree.javaFiles())
      for (int line : wrongLines(Files.readAllLines(file)))
        wrong.add(SourceTree.root().relativize(file) + ":" + line);
    assertThat(wrong).as("comments to set above their `if`").isEmpty();
  }

  @Test
  void aCommentBesideAConditionIsFound() {
    assertThat(wrongLines(List.of("  if (due()) // XYZ-01", "  return late();")))
        .containsExactly(1);
    assertThat(wrongLines(List.of("  } else if (due()) // why", "  wait();"))).containsExactly(1);
    assertThat(wrongLines(List.of("  if (due()", "      && free()) // XYZ-01", "  return late();")))
        .containsExactly(2);
    assertThat(wrongLines(List.of("  // XYZ-01", "  if (due()) return late();"))).isEmpty();
    assertThat(wrongLines(List.of("  if (due()) { // XYZ-01", "    return late();"))).isEmpty();
    assertThat(wrongLines(List.of("  case Late(var at) // XYZ-01", "      -> at;"))).isEmpty();
    assertThat(wrongLines(List.of("  call(); // XYZ-01", "  return late();"))).isEmpty();
  }

  /// Counted from 1.
  private static List<Integer> wrongLines(List<String> lines) {
    var wrong = new ArrayList<Integer>();
    for (int i = 0; i + 1 < lines.size(); i++) {
      var line = lines.get(i).strip();
      var next = lines.get(i + 1).strip();
      if (HEAD.matcher(line).matches()
          || (TAIL.matcher(line).matches() && STATEMENT.matcher(next).matches())) wrong.add(i + 1);
    }
    return wrong;
  }
}
