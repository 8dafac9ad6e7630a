package dev.berth.cli.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

/// ONE-21: a log that machines read has the keys of Kubernetes' own.
class LogFormatTest {
  private static LogRecord entry(Level level) {
    var entry = new LogRecord(level, "lease \"x\" is\nheld by {0}");
    entry.setParameters(new Object[] {"a"});
    entry.setLoggerName("dev.berth.kube.lease.Election");
    entry.setInstant(Instant.parse("2026-11-23T07:19:44.788604Z"));
    return entry;
  }

  private static String json(LogRecord entry) {
    return LogFormat.JSON.formatter().format(entry);
  }

  @Test
  void aLineOfJsonIsOneObject() {
    assertThat(json(entry(Level.INFO)))
        .isEqualTo(
            """
            {"ts":1795418384788.604,"caller":"dev.berth.kube.lease.Election",\
            "msg":"lease \\"x\\" is\\nheld by a","v":0}
            """);
    assertThat(json(entry(Level.FINE))).contains("\"v\":4");
  }

  @Test
  void whatWentWrongHasNoLevelAndItsTraceInTheLine() {
    var entry = entry(Level.SEVERE);
    entry.setThrown(new IllegalStateException("a defect"));
    assertThat(json(entry))
        .doesNotContain("\"v\":")
        .contains("\"err\":\"java.lang.IllegalStateException: a defect\\n\\tat ")
        .endsWith("\"}\n");
  }

  @Test
  void aLineForPeopleHasTimeLevelAndWho() {
    assertThat(LogFormat.TEXT.formatter().format(entry(Level.WARNING)))
        .isEqualTo(
            "2026-11-23T07:19:44.788Z WARNING dev.berth.kube.lease.Election: lease \"x\" is\nheld"
                + " by a\n");
  }
}
