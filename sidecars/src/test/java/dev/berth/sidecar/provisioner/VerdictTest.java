package dev.berth.sidecar.provisioner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.client.CsiException;
import io.grpc.Status.Code;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// PROV-110, PROV-111: which codes are final.
class VerdictTest {
  private static final Map<Code, Verdict> OTHERS =
      Map.of(
          Code.CANCELLED, Verdict.UNKNOWN,
          Code.DEADLINE_EXCEEDED, Verdict.UNKNOWN,
          Code.UNAVAILABLE, Verdict.UNKNOWN,
          Code.ABORTED, Verdict.UNKNOWN,
          Code.INVALID_ARGUMENT, Verdict.INFEASIBLE,
          Code.RESOURCE_EXHAUSTED, Verdict.NO_ROOM_HERE);

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OK")
  void aFailureSaysWhetherAVolumeMayExist(Code code) {
    assertThat(Verdict.of(new CsiException(code, "x"), true))
        .isEqualTo(OTHERS.getOrDefault(code, Verdict.REFUSED));
  }

  @ParameterizedTest
  @EnumSource(names = "RESOURCE_EXHAUSTED")
  void lackOfRoomIsAPlainRefusalWithoutANode(Code code) {
    assertThat(Verdict.of(new CsiException(code, "full"), false)).isEqualTo(Verdict.REFUSED);
  }
}
