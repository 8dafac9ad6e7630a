package dev.berth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Two effects that are decided on one after the other, of one object that somebody has touched
/// meanwhile, are equal: or a loop takes a failed one for another, and tries it without its pause
/// ([Effect], promise 4 of the loop).
class EffectsArchitectureTest {
  /// What is another at each look, or after each write to an object.
  private static final Set<Class<?>> FLEETING = Set.of(Instant.class, Meta.class);

  private static final String ASKED = "when the driver was asked: another answer is another effect";

  /// Times that are not of the look but of what is done, and stay as they are until it is.
  private static final Map<String, String> LASTING =
      Map.of(
          "controller.eviction.EvictionEffect$Await.since",
          "noted in memory: it cannot fail",
          "controller.nodelife.NodeEffect$Hear.beat.at",
          "noted in memory: it cannot fail",
          "controller.podgc.GarbageEffect$Miss.since",
          "noted in memory: it cannot fail",
          "node.pod.PodEffect$Stop.killed",
          "noted in memory: it cannot fail",
          "node.pod.PodEffect$Stop.pod",
          "noted in memory: it cannot fail",
          "node.identity.IdentityEffect$AskAgain.driver.asked",
          ASKED,
          "node.identity.IdentityEffect$Confirm.driver.asked",
          ASKED,
          "node.identity.IdentityEffect$EnterDriver.driver.asked",
          ASKED,
          "node.identity.IdentityEffect$LabelNode.driver.asked",
          ASKED,
          "node.identity.IdentityEffect$Refuse.driver.asked",
          ASKED);

  /// Rooms whose effects hold whole objects still.
  private static final String UNMENDED = "driver.baremetal.";

  private static JavaClasses berth;

  @BeforeAll
  static void read() {
    berth = BerthClasses.all();
  }

  @Test
  void anEffectStaysTheSameThoughItsObjectIsTouched() {
    var found = new TreeSet<String>();
    effects()
        .forEach(effect ->
            fleeting(effect, effect.getName().replace("dev.berth.", ""), new HashSet<>(), found));
    assertThat(found)
        .as("times that are said to last, and are not there")
        .containsAll(LASTING.keySet());
    found.removeAll(LASTING.keySet());
    found.removeIf(path -> path.startsWith(UNMENDED));
    assertThat(found)
        .as("what makes an effect another one at each look: carry it in a Seen, or hold a Revision")
        .isEmpty();
  }

  private static Stream<Class<?>> effects() {
    return berth.stream()
        .filter(type -> type.isAssignableTo(Effect.class))
        .filter(type -> !type.isInterface())
        .map(JavaClass::reflect);
  }

  private static void fleeting(Type type, String path, Set<Type> above, Set<String> found) {
    if (type instanceof ParameterizedType of) {
      if (of.getRawType().equals(Seen.class)) return;
      for (var part : of.getActualTypeArguments()) fleeting(part, path, above, found);
      fleeting(of.getRawType(), path, above, found);
    }
    if (!(type instanceof Class<?> each) || !above.add(each)) return;
    if (FLEETING.contains(each) || KubeObject.class.isAssignableFrom(each)) found.add(path);
    else if (each.isSealed())
      for (var one : each.getPermittedSubclasses()) fleeting(one, path, above, found);
    else if (each.isRecord() && !saysWhatItIs(each))
      for (var part : each.getRecordComponents())
        fleeting(part.getGenericType(), path + "." + part.getName(), above, found);
    above.remove(each);
  }

  /// Whether its equality is its own.
  private static boolean saysWhatItIs(Class<?> each) {
    return berth.contain(each)
        && !berth.get(each).getMethod("equals", Object.class).getMethodCallsFromSelf().isEmpty();
  }
}
