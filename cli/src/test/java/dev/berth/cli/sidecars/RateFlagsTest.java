package dev.berth.cli.sidecars;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.flags.CommandLines;
import dev.berth.cli.flags.Program;
import dev.berth.kube.api.Caller.Rate;
import dev.berth.sidecar.Rates;
import dev.berth.sidecar.part.Sidecar;
import java.util.List;
import org.junit.jupiter.api.Test;

/// ONE-16: how often a sidecar asks is bounded where its command line says so.
class RateFlagsTest {
  private static Rates rates(Program program, String... line) {
    return RateFlags.of(CommandLines.read(List.of(program), List.of(line)).given().values());
  }

  @Test
  void withoutAFlagThereIsNoBound() {
    assertThat(rates(Program.ATTACHER)).isEqualTo(Rates.NONE);
    assertThat(rates(Program.ATTACHER, "--kube-api-qps=-1")).isEqualTo(Rates.NONE);
  }

  @Test
  void whatIsNotGivenIsAsUpstreams() {
    var burst = new Rate(100, 10);
    assertThat(rates(Program.ATTACHER, "--kube-api-qps=100"))
        .isEqualTo(Rates.NONE.work(Sidecar.ATTACHER, burst).polling(Sidecar.ATTACHER, burst));
    var standard = new Rate(5, 50);
    assertThat(rates(Program.RESIZER, "--kube-api-burst=50", "--kube-api-qps=0"))
        .isEqualTo(Rates.NONE.work(Sidecar.RESIZER, standard).polling(Sidecar.RESIZER, standard));
  }

  @Test
  void roomHasABoundOfItsOwn() {
    assertThat(rates(Program.PROVISIONER, "--kube-api-qps=20", "--kube-api-capacity-burst=7"))
        .isEqualTo(
            Rates.NONE
                .work(Sidecar.PROVISIONER, new Rate(20, 10))
                .polling(Sidecar.PROVISIONER, new Rate(1, 7)));
  }
}
