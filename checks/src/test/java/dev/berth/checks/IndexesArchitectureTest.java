package dev.berth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import dev.berth.kube.cache.Index;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Caches keep each index once, by its identity: the same one written twice costs its memory and
/// its updates twice.
class IndexesArchitectureTest {
  @Test
  void noTwoIndexesOfAKindHaveOneName() throws Exception {
    var indexes =
        BerthClasses.all().stream()
            .flatMap(type -> type.getFields().stream())
            .filter(field -> field.getRawType().isEquivalentTo(Index.class))
            .filter(field -> field.getModifiers().contains(JavaModifier.STATIC))
            .toList();
    var places = new TreeMap<String, String>();
    for (var field : indexes) {
      var index = index(field);
      places.put(field.getFullName(), index.kind() + ", " + index.name());
    }
    assertThat(places).hasSizeGreaterThan(50);
    Map<String, List<String>> named =
        places.keySet().stream().collect(Collectors.groupingBy(places::get));
    named.values().removeIf(fields -> fields.size() == 1);
    assertThat(named).isEmpty();
  }

  private static Index<?> index(JavaField field) throws Exception {
    var found = field.reflect();
    found.setAccessible(true);
    return (Index<?>) found.get(null);
  }
}
