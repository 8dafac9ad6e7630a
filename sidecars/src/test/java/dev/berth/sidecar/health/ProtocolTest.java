package dev.berth.sidecar.health;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.GET_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.GET_VOLUME_HEALTH;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.LIST_VOLUMES;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.LIST_VOLUME_HEALTH;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.VOLUME_CONDITION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.ControllerServiceCapability.RPC.Type;
import dev.berth.sidecar.health.Protocol.Speech;
import dev.berth.sidecar.part.Standing;
import dev.berth.sidecar.testing.Objects;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// VH-01, HM-01: what a driver can do says how it is asked.
class ProtocolTest {
  record Row(String id, Set<Type> can, Protocol protocol) {}

  static final List<Row> rows =
      List.of(
          new Row("nothing", Set.of(), new Protocol(Speech.NONE, false, false)),
          new Row(
              "HM-01: a condition that nobody can ask for",
              Set.of(VOLUME_CONDITION),
              new Protocol(Speech.NONE, false, false)),
          new Row(
              "HM-01: lists without conditions",
              Set.of(LIST_VOLUMES, GET_VOLUME),
              new Protocol(Speech.NONE, false, false)),
          new Row(
              "HM-01: the list is preferred",
              Set.of(VOLUME_CONDITION, LIST_VOLUMES, GET_VOLUME),
              new Protocol(Speech.CONDITION, true, false)),
          new Row(
              "HM-03",
              Set.of(VOLUME_CONDITION, GET_VOLUME),
              new Protocol(Speech.CONDITION, false, true)),
          new Row(
              "VH-01: the new one wins",
              Set.of(VOLUME_CONDITION, LIST_VOLUMES, GET_VOLUME, GET_VOLUME_HEALTH),
              new Protocol(Speech.HEALTH, false, true)),
          new Row(
              "VH-12: a list alone will do",
              Set.of(LIST_VOLUME_HEALTH),
              new Protocol(Speech.HEALTH, true, false)),
          new Row(
              "VH-07",
              Set.of(LIST_VOLUME_HEALTH, GET_VOLUME_HEALTH),
              new Protocol(Speech.HEALTH, true, true)));

  @ParameterizedTest
  @FieldSource("rows")
  void aDriverSpeaksOneWay(Row row) {
    var driver = Objects.driver(row.can().toArray(Type[]::new));
    assertThat(Protocol.of(driver)).isEqualTo(row.protocol());
    assertThat(HealthMonitor.part(driver, HealthOptions.DEFAULT).standing())
        .isInstanceOf(
            row.protocol().speech() == Speech.NONE ? Standing.Off.class : Standing.On.class);
  }
}
