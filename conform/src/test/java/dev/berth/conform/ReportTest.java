package dev.berth.conform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.conform.check.Outcome;
import dev.berth.conform.check.Result;
import dev.berth.conform.report.JUnitReport;
import dev.berth.conform.report.JsonReport;
import dev.berth.conform.report.Report;
import dev.berth.conform.report.TextReport;
import dev.berth.conform.report.TextReport.Progress;
import dev.berth.conform.trial.Exchange;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
  private static final Report REPORT =
      new Report(
          "disk.example.com 1.0",
          List.of(
              result("identity.name", new Outcome.Passed()),
              result("identity.probe", new Outcome.Skipped("it is asleep")),
              new Result(
                  Conformance.checks(List.of("volume.again")).getFirst(),
                  new Outcome.Failed(
                      "volume_id v-1",
                      "found: v-2",
                      List.of(new Exchange("CreateVolume", "{name: \"a\u0007\"}", "OK {}"))),
                  Duration.ofMillis(1234),
                  List.of("DeleteVolume v-2: INTERNAL"))),
          Duration.ofSeconds(2));

  @TempDir private Path folder = Path.of("");

  private static Result result(String id, Outcome outcome) {
    return new Result(
        Conformance.checks(List.of(id)).getFirst(), outcome, Duration.ofMillis(5), List.of());
  }

  @Test
  void aPersonReadsWhatToDo() {
    var told = new ByteArrayOutputStream();
    var text =
        new TextReport(
            new PrintStream(told, true, StandardCharsets.UTF_8),
            (_, words) -> words,
            Progress.NOT_SHOWN);
    text.begins(REPORT.driver(), REPORT.results().size());
    for (var result : REPORT.results()) {
      text.begins(result.check());
      text.done(result);
    }
    text.ends(REPORT);
    assertThat(told.toString(StandardCharsets.UTF_8))
        .contains(
            "disk.example.com 1.0: 3 checks",
            "  ok    identity.name",
            "  skip  1 because it is asleep: identity.probe",
            "  FAIL  volume.again",
            "sent      CreateVolume {name:",
            "expected  volume_id v-1",
            "but       found: v-2",
            "remedy    look the volume up by its name",
            "left behind: volume.again: DeleteVolume v-2: INTERNAL",
            "1 passed, 1 failed, 1 skipped in 2.000 s")
        .doesNotContain("\u001b");
  }

  @Test
  void whatIsSkippedForOneReasonIsOneLine() {
    var told = new ByteArrayOutputStream();
    var text =
        new TextReport(
            new PrintStream(told, true, StandardCharsets.UTF_8),
            (_, words) -> words,
            Progress.NOT_SHOWN);
    text.done(result("identity.name", new Outcome.Skipped("it is asleep")));
    text.done(result("identity.version", new Outcome.Passed()));
    text.done(result("identity.steady", new Outcome.Skipped("it is\nasleep")));
    text.done(result("identity.probe", new Outcome.Skipped("it is asleep")));
    text.done(result("volume.again", new Outcome.Skipped("it is asleep")));
    text.ends(REPORT);
    assertThat(told.toString(StandardCharsets.UTF_8).lines().map(String::strip).limit(6))
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo("identity"),
            line -> assertThat(line).startsWith("ok    identity.version"),
            line ->
                assertThat(line)
                    .isEqualTo("skip  2 because it is asleep: identity.name, identity.probe"),
            line -> assertThat(line).isEqualTo("skip  1 because it is asleep: identity.steady"),
            line -> assertThat(line).isEqualTo("volume"),
            line -> assertThat(line).isEqualTo("skip  1 because it is asleep: volume.again"));
  }

  @Test
  void aMachineReadsXml() throws Exception {
    var file = folder.resolve("conform.xml");
    JUnitReport.write(REPORT, file);
    var document =
        DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(file.toFile());
    var root = document.getDocumentElement();
    assertThat(root.getAttribute("tests")).isEqualTo("3");
    assertThat(root.getAttribute("failures")).isEqualTo("1");
    assertThat(document.getElementsByTagName("testsuite").getLength()).isEqualTo(2);
    assertThat(document.getElementsByTagName("failure").item(0).getTextContent())
        .contains("sent CreateVolume {name: \"a?\"}", "rule: CreateVolume", "remedy: ");
    assertThat(document.getElementsByTagName("skipped").getLength()).isEqualTo(1);
  }

  @Test
  void aScriptReadsJson() {
    var json = JsonReport.of(REPORT);
    assertThat(json.path("failed").asInt()).isEqualTo(1);
    assertThat(json.path("left").path(0).asText()).contains("v-2");
    assertThat(json.path("checks").path(2).path("result").asText()).isEqualTo("failed");
    assertThat(json.path("checks").path(1).path("reason").asText()).isEqualTo("it is asleep");
  }
}
