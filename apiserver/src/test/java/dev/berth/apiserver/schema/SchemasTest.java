package dev.berth.apiserver.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.state.Catalog;
import dev.berth.apiserver.schema.Schema.ListOf;
import dev.berth.apiserver.schema.Schema.MapOf;
import dev.berth.apiserver.schema.Schema.Reference;
import dev.berth.apiserver.schema.Schema.Scalar;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SchemasTest {
  @Test
  void everyKindThatIsServedHasAWholeStructure() {
    for (var served : Catalog.all()) {
      var structure = Schemas.of(served.resource()).orElseThrow();
      assertThat(structure.byName()).containsKeys("apiVersion", "kind", "metadata");
      visit(structure, new HashSet<>());
    }
  }

  /// API-16: upstream's kinds of one name in two groups are two structures.
  @Test
  void kindsOfOneNameAreToldApartByTheirVersion() {
    var core = Schemas.of("v1", "Event").orElseThrow();
    var events = Schemas.of("events.k8s.io/v1", "Event").orElseThrow();
    assertThat(core.byName()).containsKey("involvedObject");
    assertThat(events.byName()).containsKey("regarding");
    assertThat(events.field("series").orElseThrow().schema())
        .isEqualTo(new Reference("io.k8s.api.events.v1.EventSeries"));
  }

  /// API-16, API-75, API-78: one field that has it all.
  @Test
  void aFieldSaysWhereItStandsAndHowItIsMergedAndOwned() {
    var ports = Schemas.structure("EphemeralContainer").field("ports").orElseThrow();
    assertThat(ports.wire()).isEqualTo(new Wire(List.of(1, 6), Wire.Form.PLAIN, Wire.Zero.ABSENT));
    assertThat(ports.strategy()).isEqualTo("merge");
    assertThat(ports.mergeKey()).isEqualTo("containerPort");
    assertThat(ports.topology())
        .isEqualTo(new Topology.KeyedBy(List.of("containerPort", "protocol")));
    var protocol = Schemas.structure("ContainerPort").field("protocol").orElseThrow();
    assertThat(protocol.standIn()).isEqualTo("TCP");
    assertThat(Schemas.structure("NodeSelector").atomic()).isTrue();
  }

  /// Fails if a structure refers to one that is missing.
  private static void visit(Structure structure, Set<String> seen) {
    if (!seen.add(structure.qualifiedName())) return;
    for (var field : structure.fields()) visit(field.schema(), seen);
  }

  private static void visit(Schema schema, Set<String> seen) {
    switch (schema) {
      case Reference(var name) -> visit(Schemas.structure(name), seen);
      case ListOf(var element) -> visit(element, seen);
      case MapOf(var value) -> visit(value, seen);
      case Scalar _ -> {}
    }
  }
}
