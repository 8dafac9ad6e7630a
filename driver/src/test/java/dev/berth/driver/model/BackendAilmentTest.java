package dev.berth.driver.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BackendAilmentTest {
  @Test
  void whatHasOneKindAndReasonIsToldOnce() { // VH-06
    var one = BackendAilment.degraded("PoolFull", "pool /a is full");
    var other = BackendAilment.degraded("PoolFull", "pool /b is full");
    var gone = BackendAilment.unreachable("PoolUnreachable", "pool /c: no such device");

    assertThat(BackendAilment.each(List.of(one, gone, other, one)))
        .containsExactly(
            BackendAilment.degraded(
                "PoolFull", "pool /a is full; pool /b is full; pool /a is full"),
            gone);
  }
}
