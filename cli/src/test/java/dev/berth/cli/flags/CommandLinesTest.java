package dev.berth.cli.flags;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cli.Problem;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// ONE-10, ONE-04: upstream's command lines in the way of Go's flags.
class CommandLinesTest {
  private static Given given(Program program, String... line) {
    return CommandLines.read(List.of(program), List.of(line)).of(program);
  }

  @ParameterizedTest
  @CsvSource({
    "-timeout=1m30s",
    "--timeout=1m30s",
    "'-timeout 1m30s'",
    "'--timeout 1m30s'",
    "'--timeout 5s --timeout 90s'"
  })
  void aValueIsGivenInEachOfGosWays(String line) {
    assertThat(given(Program.ATTACHER, line.split(" ")).time("timeout"))
        .isEqualTo(Duration.ofSeconds(90));
  }

  @ParameterizedTest
  @CsvSource({
    "--leader-election, true",
    "-leader-election, true",
    "--leader-election=true, true",
    "--leader-election=T, true",
    "--leader-election=0, false",
    "--leader-election=false, false",
    "--v=5, false"
  })
  void whatIsTrueOrFalseNeedsNoValue(String line, boolean elected) {
    assertThat(given(Program.ATTACHER, line).isOn("leader-election")).isEqualTo(elected);
  }

  @ParameterizedTest
  @CsvSource({
    "--timeout=5, 'invalid value \"5\" for flag --timeout: write a time such as 15s'",
    "--worker-threads=-1, 'invalid value \"-1\" for flag --worker-threads'",
    "--leader-election=yes, 'invalid value \"yes\"'",
    "--kube-api-qps=many, 'invalid value \"many\"'",
    "--feature-gates=Topology, 'invalid value \"Topology\" for flag --feature-gates: write name='",
    "--timeout, 'flag --timeout needs a value'",
    "--workers=3, 'unknown flag --workers: it is one of resizer'",
    "--strict-topology=3, 'unknown flag --strict-topology: it is one of provisioner'",
    "--nonsense, 'unknown flag --nonsense: no sidecar has it'"
  })
  void whatUpstreamRefusesIsRefused(String line, String words) {
    assertThatThrownBy(() -> given(Program.ATTACHER, line))
        .isInstanceOf(Problem.class)
        .hasMessageStartingWith(words)
        .returns(2, wrong -> ((Problem) wrong).exitCode());
  }

  @Test
  void defaultsAreUpstreamsOwn() {
    assertThat(given(Program.PROVISIONER).whole("worker-threads")).isEqualTo(100);
    assertThat(given(Program.ATTACHER).whole("worker-threads")).isEqualTo(10);
    assertThat(given(Program.SNAPSHOTTER).time("timeout")).isEqualTo(Duration.ofMinutes(1));
    assertThat(given(Program.PROVISIONER).isOn("immediate-topology")).isTrue();
    assertThat(given(Program.ATTACHER).text("csi-address")).isEqualTo("/run/csi/socket");
    assertThat(given(Program.ATTACHER).find("default-fstype")).isEmpty();
  }

  /// What interop/flags does not see, as their programs are not among the peers: all of theirs take
  /// the flags of the libraries that they are made of (LIV-03, REG-06, HM-06).
  @ParameterizedTest
  @CsvSource({
    "HEALTH_MONITOR, leader-election-lease-duration=20s leader-election-renew-deadline=15s"
        + " leader-election-retry-period=1s leader-election-labels=a:b kube-api-qps=50"
        + " kube-api-burst=100 automaxprocs",
    "LIVENESSPROBE, automaxprocs logging-format=json log-flush-frequency=1s",
    "NODE_DRIVER_REGISTRAR, automaxprocs logging-format=json log-flush-frequency=1s"
        + " log-json-split-stream log-text-split-stream log-json-info-buffer-size=1Ki"
        + " log-text-info-buffer-size=1Ki"
  })
  void flagsOfUpstreamsLibrariesAreTakenByAll(Program program, String flags) {
    var line = Arrays.stream(flags.split(" ")).map("--"::concat).toArray(String[]::new);
    assertThat(given(program, line).texts()).hasSize(line.length);
  }

  @ParameterizedTest
  @EnumSource
  void everyDefaultIsAValue(Program program) {
    for (var flag : Table.FLAGS)
      if (flag.owners().contains(program))
        assertThat(flag.kind().takes(flag.standard())).as(flag.name()).isTrue();
  }

  @Test
  void gatesAreAddedUp() { // PROV-188, ATT-95
    var given =
        given(
            Program.PROVISIONER,
            "--feature-gates=Topology=false,AllAlpha=true",
            "--feature-gates=Topology=true");
    assertThat(given.gates()).isEqualTo(Map.of("Topology", true, "AllAlpha", true));
    assertThat(given.gate("CrossNamespaceVolumeDataSource", false)).isFalse();
    assertThat(given.unknownGate()).isEmpty();
    assertThat(given(Program.ATTACHER, "--feature-gates=Topology=true").unknownGate())
        .hasValue("Topology");
  }

  @Test
  void aPlainGateIsForThoseThatHaveIt() { // ONE-04, ONE-10
    var line =
        CommandLines.read(
            List.of(Program.PROVISIONER, Program.ATTACHER, Program.RESIZER),
            List.of(
                "--feature-gates=Topology=true,VolumeAttributesClass=false,AllAlpha=true",
                "--attacher-feature-gates=MutableCSINodeAllocatableCount=true"));
    assertThat(line.of(Program.PROVISIONER).gates())
        .isEqualTo(Map.of("Topology", true, "VolumeAttributesClass", false, "AllAlpha", true));
    assertThat(line.of(Program.ATTACHER).gates())
        .isEqualTo(Map.of("MutableCSINodeAllocatableCount", true));
    assertThat(line.of(Program.RESIZER).gates())
        .isEqualTo(Map.of("VolumeAttributesClass", false, "AllAlpha", true));
  }

  @Test
  void aGateThatNobodyHasIsRefusedAmongSeveralToo() { // ONE-10
    var both = List.of(Program.ATTACHER, Program.RESIZER);
    var none = CommandLines.read(both, List.of("--feature-gates=Topology=true"));
    assertThat(none.of(Program.RESIZER).unknownGate()).hasValue("Topology");
    var others = CommandLines.read(both, List.of("--attacher-feature-gates=AnnotateFsResize=true"));
    assertThat(others.of(Program.ATTACHER).unknownGate()).hasValue("AnnotateFsResize");
    assertThat(others.of(Program.RESIZER).unknownGate()).isEmpty();
  }

  @Test
  void aPrefixedFlagIsOneSidecarsWhateverThePlainOneSays() {
    var both = List.of(Program.PROVISIONER, Program.ATTACHER, Program.RESIZER);
    var line =
        CommandLines.read(
            both,
            List.of(
                "--attacher-timeout=1m",
                "--timeout=20s",
                "--worker-threads",
                "7",
                "--resizer-workers=3",
                "--vmodule=lease=5"));
    assertThat(line.of(Program.ATTACHER).time("timeout")).isEqualTo(Duration.ofMinutes(1));
    assertThat(line.of(Program.PROVISIONER).time("timeout")).isEqualTo(Duration.ofSeconds(20));
    assertThat(line.of(Program.RESIZER).whole("workers")).isEqualTo(3);
    assertThat(line.of(Program.ATTACHER).whole("worker-threads")).isEqualTo(7);
    assertThat(line.idle()).isEqualTo(Set.of("vmodule"));
    assertThatThrownBy(() -> CommandLines.read(both, List.of("--snapshotter-timeout=1m")))
        .hasMessageContaining("it is one of snapshotter");
  }

  @Test
  void programsAreFoundByEachOfTheirNames() {
    assertThat(
            Arrays.stream("attacher csi-attacher external-attacher".split(" ")).map(Program::named))
        .allMatch(found -> found.filter(Program.ATTACHER::equals).isPresent());
    assertThat(Program.named("nobody")).isEmpty();
  }
}
