package dev.berth.cli.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cli.Problem;
import dev.berth.controller.roster.Member;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/// `--controllers`, as upstream reads it (RUN-01).
class ChoiceTest {
  @Test
  void withoutAWordAllRun() {
    assertThat(Choice.of(List.of())).containsExactly(Member.values());
    assertThat(Choice.of(List.of("*"))).containsExactly(Member.values());
  }

  @Test
  void eachHasUpstreamsNamesAndOurs() {
    assertThat(Choice.of(List.of("persistentvolume-binder-controller,pvc-protection", "scheduler")))
        .containsExactlyInAnyOrder(Member.BINDER, Member.CLAIM_PROTECTION, Member.SCHEDULER);
  }

  @Test
  void allButSome() {
    assertThat(Choice.of(List.of("*,-attachdetach,-deployment-controller")))
        .isEqualTo(EnumSet.complementOf(EnumSet.of(Member.ATTACH_DETACH)));
  }

  @Test
  void whatIsSaidFirstCounts() {
    assertThat(Choice.of(List.of("binder,-binder"))).containsExactly(Member.BINDER);
  }

  @Test
  void whatThereIsNotIsRefused() {
    assertThatThrownBy(() -> Choice.of(List.of("*,deployment-controller")))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("--controllers deployment-controller: there are *, ");
    assertThatThrownBy(() -> Choice.of(List.of("-binder")))
        .hasMessageContaining("none is left to run; all but some are *,-binder");
  }
}
