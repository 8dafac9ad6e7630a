package dev.berth.conform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.conform.check.Check;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The page about the checks lists them as they are. `-Dberth.docs=write` writes the list.
class DocumentTest {
  private static final Path PAGE = Path.of("..", "docs", "conform.md");
  private static final String HEAD = "| check | what a driver does that passes | csi-sanity |";

  /// Numbers of csi-sanity's specs in spec/csi.md; 30 to 37 are no specs but traps.
  private static final List<String> SANITY =
      IntStream.rangeClosed(1, 106)
          .filter(number -> number < 30 || number > 39)
          .mapToObj("SAN-%02d"::formatted)
          .toList();

  @Test
  void thePageListsTheChecks() throws IOException {
    var page = Files.readString(PAGE);
    var words = page.contains(HEAD) ? page.substring(0, page.indexOf(HEAD)) : page;
    var wanted = words + table();
    if ("write".equals(System.getProperty("berth.docs"))) Files.writeString(PAGE, wanted);
    else assertThat(page).as("run this test with -Dberth.docs=write").isEqualTo(wanted);
  }

  @Test
  void nothingThatCsiSanityAsksIsLeftOut() { // SAN-110
    assertThat(Conformance.checks().stream().flatMap(check -> check.covers().stream()).distinct())
        .containsExactlyInAnyOrderElementsOf(SANITY);
  }

  @Test
  void everyCheckIsToldApartAndExplained() {
    assertThat(Conformance.checks()).extracting(Check::id).doesNotHaveDuplicates();
    assertThat(Conformance.checks())
        .allSatisfy(check ->
            assertThat(List.of(check.title(), check.rule(), check.remedy()))
                .noneMatch(String::isBlank));
  }

  private static String table() {
    return Stream.concat(
            Stream.of(HEAD, "| --- | --- | --- |"),
            Conformance.checks().stream().map(DocumentTest::row))
        .reduce("", (all, line) -> all + line + "\n");
  }

  private static String row(Check check) {
    return "| `%s` | %s | %s |"
        .formatted(check.id(), check.title(), String.join(", ", check.covers()));
  }
}
