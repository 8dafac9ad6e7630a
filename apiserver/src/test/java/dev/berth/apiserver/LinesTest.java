package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.message.Request;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.util.List;
import org.junit.jupiter.api.Test;

/// API-135: one user's writes keep nobody else's waiting.
class LinesTest {
  private final Lines lines = new Lines();

  private void add(String line, String name) {
    var write =
        new Request.Delete(
            Resources.CONFIG_MAPS, ObjectKey.of("default", name), DeleteOptions.DEFAULT);
    lines.add(new Pending(write, line));
  }

  private List<String> taken(int most) {
    return names(lines.take(most));
  }

  private static List<String> names(List<Pending> taken) {
    return taken.stream().map(each -> ((Request.Delete) each.write()).key().name()).toList();
  }

  @Test
  void usersTakeTurns() {
    for (int i = 0; i < 4; i++) add("busy", "b" + i);
    add("calm", "c0");
    assertThat(taken(3)).containsExactly("b0", "c0", "b1");
    add("calm", "c1");
    assertThat(taken(9)).containsExactly("b2", "c1", "b3");
    assertThat(lines.count()).isZero();
  }

  @Test
  void whatWaitsForNobodyComesFirst() {
    add("busy", "b0");
    add("", "lease");
    assertThat(taken(1)).containsExactly("lease");
    assertThat(taken(1)).containsExactly("b0");
  }

  @Test
  void whatIsPutBackIsNext() {
    for (int i = 0; i < 3; i++) add("busy", "b" + i);
    add("calm", "c0");
    add("", "lease");
    var taken = lines.take(4);
    assertThat(names(taken)).containsExactly("lease", "b0", "c0", "b1");
    lines.putBack(taken.subList(1, 4));
    assertThat(lines.count()).isEqualTo(4);
    add("late", "l0");
    assertThat(taken(9)).containsExactly("b0", "c0", "l0", "b1", "b2");
  }
}
