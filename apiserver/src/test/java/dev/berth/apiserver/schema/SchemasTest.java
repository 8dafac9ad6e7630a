package dev.berth.apiserver.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.state.Catalog;
import dev.berth.apiserver.schema.Schema.ListOf;
import dev.berth.apiserver.schema.Schema.MapOf;
import dev.berth.apiserver.schema.Schema.Reference;
import dev.berth.apiserver.schema.Schema.Scalar;
import java.util.HashSet;
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

  /// Fails if a structure refers to one that is missing.
  private static void visit(Structure structure, Set<String> seen) {
    if (!seen.add(structure.name())) return;
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
