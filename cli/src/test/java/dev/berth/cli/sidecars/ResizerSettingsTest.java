package dev.berth.cli.sidecars;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.flags.CommandLines;
import dev.berth.cli.flags.Program;
import dev.berth.sidecar.SidecarOptions;
import dev.berth.sidecar.modifier.ModifierOptions;
import dev.berth.sidecar.modifier.ModifierOptions.Gate;
import dev.berth.sidecar.modifier.ModifierOptions.Names;
import dev.berth.sidecar.part.Sidecar;
import dev.berth.sidecar.resizer.ResizerOptions;
import dev.berth.sidecar.resizer.ResizerOptions.WhileUsed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What csi-resizer's flags mean to ours (spec/resizer.md, section 1).
class ResizerSettingsTest {
  private static SidecarOptions options(String... line) {
    var given = CommandLines.read(List.of(Program.RESIZER), List.of(line)).of(Program.RESIZER);
    return Settings.of(Map.of(Program.RESIZER, given), Set.of(Sidecar.RESIZER));
  }

  @Test
  void withoutFlagsItIsAsUpstream() {
    assertThat(options().resizer()).isEqualTo(ResizerOptions.DEFAULT);
    assertThat(options().modifier()).isEqualTo(ModifierOptions.DEFAULT);
  }

  @ParameterizedTest
  @CsvSource({
    "--resize-timeout=20s, 20, 10",
    "--modify-timeout=30s, 10, 30",
    "--timeout=10s --resize-timeout=20s --modify-timeout=30s, 10, 10"
  })
  void theGeneralTimeoutComesFirstIfItIsWritten(String line, long resizing, long modifying) {
    var options = options(line.split(" "));
    assertThat(options.resizer().timeout()).isEqualTo(Duration.ofSeconds(resizing));
    assertThat(options.modifier().timeout()).isEqualTo(Duration.ofSeconds(modifying));
  }

  @Test
  void theLongestPauseIsThatOfWhatCannotBeHad() { // RSZ-53
    var options = options("--retry-interval-start=2s", "--retry-interval-max=3s", "--workers=4");
    assertThat(options.resizer().slow()).isEqualTo(Duration.ofSeconds(3));
    assertThat(options.modifier().slow()).isEqualTo(Duration.ofSeconds(3));
    assertThat(options.resizer().pace().retry().start()).isEqualTo(Duration.ofSeconds(2));
    assertThat(options.resizer().pace().parallel()).isEqualTo(4);
  }

  @Test
  void switchesAndGatesAreHeld() { // RSZ-62, RSZ-84
    var options =
        options(
            "--handle-volume-inuse-error=false",
            "--extra-modify-metadata",
            "--feature-gates=AnnotateFsResize=false,VolumeAttributesClass=false");
    assertThat(options.resizer().whileUsed()).isEqualTo(WhileUsed.ASK_AGAIN);
    assertThat(options.resizer().noteFormerSize()).isFalse();
    assertThat(options.modifier().names()).isEqualTo(Names.TOLD);
    assertThat(options.modifier().gate()).isEqualTo(Gate.OFF);
  }
}
