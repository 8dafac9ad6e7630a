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
  void withoutAWordAllRunButWhatKeepsPods() {
    var usual = EnumSet.allOf(Member.class);
    usual.removeIf(Member::onlyByName);
    assertThat(Choice.of(List.of())).isEqualTo(usual).doesNotContain(Member.STATEFUL_SETS);
    assertThat(Choice.of(List.of("*"))).isEqualTo(usual);
  }

  @Test
  void whatKeepsPodsRunsWhereItIsNamed() {
    assertThat(Choice.of(List.of("*,statefulset-controller")))
        .contains(Member.STATEFUL_SETS, Member.BINDER);
    assertThat(Choice.of(List.of("statefulset"))).containsExactly(Member.STATEFUL_SETS);
  }

  @Test
  void eachHasUpstreamsNamesAndOurs() {
    assertThat(Choice.of(List.of("persistentvolume-binder-controller,pvc-protection", "scheduler")))
        .containsExactlyInAnyOrder(Member.BINDER, Member.CLAIM_PROTECTION, Member.SCHEDULER);
  }

  @Test
  void allButSome() {
    assertThat(Choice.of(List.of("*,-attachdetach,-garbage-collector-controller")))
        .doesNotContain(Member.ATTACH_DETACH)
        .contains(Member.BINDER, Member.SCHEDULER);
  }

  @Test
  void whatIsSaidFirstCounts() {
    assertThat(Choice.of(List.of("binder,-binder"))).containsExactly(Member.BINDER);
  }

  @Test
  void whatThereIsNotIsRefused() {
    assertThatThrownBy(() -> Choice.of(List.of("*,namespace-controller")))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("--controllers namespace-controller: there are *, ");
    assertThatThrownBy(() -> Choice.of(List.of("*,-statefulset-controler")))
        .hasMessageContaining("--controllers -statefulset-controler: there are *, ");
    assertThatThrownBy(() -> Choice.of(List.of("*,-"))).hasMessageContaining("--controllers -: ");
    assertThatThrownBy(() -> Choice.of(List.of("-binder")))
        .hasMessageContaining("none is left to run; all but some are *,-binder");
  }
}
