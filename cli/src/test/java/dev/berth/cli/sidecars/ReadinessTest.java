package dev.berth.cli.sidecars;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.driver.process.TextEndpoint.Text;
import dev.berth.kube.model.Kinds;
import dev.berth.sidecar.Trouble;
import dev.berth.sidecar.Trouble.Cause;
import dev.berth.sidecar.Trouble.Extent;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// ONE-15, ONE-23: a right that only some of the work needs does not keep the process from being
/// ready; a defect, and a driver for which nothing works, does.
class ReadinessTest {
  private static final Trouble OFF =
      new Trouble(Cause.RIGHTS, Extent.PART, "resizer of d: modifier/d is off");
  private static final Trouble BROKEN =
      new Trouble(Cause.DEFECT, Extent.WHOLE, "attacher of d: it could not begin");

  private final Readiness report = new Readiness();

  @Test
  void nothingIsLacking() {
    report.of(List.of(), false);
    report.of(Set.of(), Set.of());
    assertThat(report.text()).isEqualTo(Text.OK);
  }

  @Test
  void whatMayNotBeListedIsSaidAndNoReasonToWait() {
    report.of(List.of(OFF), false);
    report.of(Set.of(Kinds.ATTRIBUTES_CLASS), Set.of(Kinds.ATTRIBUTES_CLASS));
    assertThat(report.text())
        .isEqualTo(
            new Text(
                200,
                """
                ok
                resizer of d: modifier/d is off
                what reads them is off, as they may not be listed: \
                volumeattributesclasses.storage.k8s.io\
                """));
  }

  @Test
  void aListThatHasNotComeInYetIsAwaited() {
    report.of(Set.of(Kinds.ATTRIBUTES_CLASS, Kinds.POD), Set.of(Kinds.ATTRIBUTES_CLASS));
    assertThat(report.text().status()).isEqualTo(503);
    assertThat(report.text().body()).startsWith("not yet read from the API server: pods\n");
  }

  @Test
  void aDefectIsNotReady() {
    report.of(List.of(OFF, BROKEN), false);
    assertThat(report.text().status()).isEqualTo(503);
  }

  @Test
  void aDriverForWhichNothingWorksIsNotReady() {
    report.of(List.of(OFF), true);
    assertThat(report.text().status()).isEqualTo(503);
  }
}
