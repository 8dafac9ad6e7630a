package dev.berth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Nothing calls out with a lock held (design.md), as far as that shows: from a `synchronized`
/// method, call by call through our own classes. What a lambda does is its receiver's business, and
/// which class stands behind an interface is not known here.
class LocksArchitectureTest {
  /// What asks others, or has others do something.
  private static final Map<String, Set<String>> OUT =
      Map.of(
          "dev.berth.csi.client.CsiConnection", Set.of("close"),
          "dev.berth.kube.fact.Told", Set.of("change"),
          "dev.berth.kube.loop.Loop", Set.of("start", "stop", "look"));

  private static final Set<String> SERVERS =
      Set.of(
          "dev.berth.kube.api.Api",
          "dev.berth.csi.client.NodeCalls",
          "dev.berth.csi.client.ControllerCalls",
          "dev.berth.csi.client.GroupControllerCalls",
          "dev.berth.csi.client.IdentityCalls");

  /// Methods that may, and why.
  private static final Map<String, String> EXCEPTIONS =
      Map.of(
          "dev.berth.cli.controllers.Rival.look",
          "each look compares with the last one, and nobody else takes this lock");

  @Test
  void noSynchronizedMethodCallsOut() {
    var berth = BerthClasses.all();
    assertThat(berth.size()).isGreaterThan(1000);
    assertThat(callingOut(berth)).isEmpty();
  }

  private static Set<String> callingOut(JavaClasses berth) {
    var found = new TreeSet<String>();
    for (var type : berth)
      for (var method : type.getMethods())
        if (method.getModifiers().contains(JavaModifier.SYNCHRONIZED)
            && !EXCEPTIONS.containsKey(method.getOwner().getName() + "." + method.getName()))
          out(method).ifPresent(found::add);
    return found;
  }

  /// The way from `locked` to somebody else.
  private static Optional<String> out(JavaCodeUnit locked) {
    var ways = new LinkedHashMap<JavaCodeUnit, String>();
    var next = new ArrayDeque<>(List.of(locked));
    ways.put(locked, locked.getFullName());
    while (!next.isEmpty()) {
      var unit = next.remove();
      for (var call : unit.getMethodCallsFromSelf()) {
        if (call.isDeclaredInLambda()) continue;
        if (isOut(call))
          return Optional.of(ways.get(unit) + "\n  calls " + call.getTarget().getFullName());
        var target = call.getTarget().resolveMember();
        if (target.isPresent()
            && target.get().getOwner().getName().startsWith("dev.berth.")
            && ways.putIfAbsent(
                    target.get(), ways.get(unit) + "\n  calls " + target.get().getFullName())
                == null) next.add(target.get());
      }
    }
    return Optional.empty();
  }

  private static boolean isOut(JavaMethodCall call) {
    var owner = call.getTargetOwner().getName();
    return (SERVERS.contains(owner) && !call.getName().equals("by"))
        || OUT.getOrDefault(owner, Set.of()).contains(call.getName());
  }
}
