package dev.berth.sidecar.provisioner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.client.CsiException;
import io.grpc.Status.Code;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// PROV-111, and what is stricter here.
class VerdictTest {
  @ParameterizedTest
  @CsvSource({
    "CANCELLED, FIRST, UNKNOWN",
    "DEADLINE_EXCEEDED, FIRST, UNKNOWN",
    "UNAVAILABLE, FIRST, UNKNOWN",
    "ABORTED, FIRST, UNKNOWN",
    "INTERNAL, FIRST, REFUSED",
    "INTERNAL, AGAIN, UNKNOWN",
    "UNKNOWN, AGAIN, UNKNOWN",
    "ALREADY_EXISTS, AGAIN, UNKNOWN",
    "PERMISSION_DENIED, AGAIN, UNKNOWN",
    "OUT_OF_RANGE, AGAIN, REFUSED",
    "UNIMPLEMENTED, AGAIN, REFUSED",
    "RESOURCE_EXHAUSTED, AGAIN, NO_ROOM_HERE",
    "INVALID_ARGUMENT, FIRST, INFEASIBLE",
    "INVALID_ARGUMENT, AGAIN, INFEASIBLE",
  })
  void aFailureSaysWhetherAVolumeMayExist(Code code, Attempt attempt, Verdict verdict) {
    assertThat(Verdict.of(new CsiException(code, "x"), attempt, true)).isEqualTo(verdict);
  }

  @ParameterizedTest
  @CsvSource({"FIRST", "AGAIN"})
  void lackOfRoomIsAPlainRefusalWithoutANode(Attempt attempt) {
    var full = new CsiException(Code.RESOURCE_EXHAUSTED, "full");

    assertThat(Verdict.of(full, attempt, false)).isEqualTo(Verdict.REFUSED);
  }
}
