package dev.berth.checks;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What the methods of a decider can come to, call by call through our own code: all that it calls,
/// builds and reads, and every implementation of an interface of ours. What caches and loop hand to
/// it is theirs to answer for.
final class Reach {
  /// Whoever has one of these can do, know or remember more than a view shows.
  private static final Pattern IMPURE =
      Pattern.compile(
          "org\\.slf4j\\..*|java\\.util\\.logging\\..*|java\\.util\\.concurrent\\..*"
              + "|java\\.time\\.(Clock|InstantSource)|java\\.lang\\.(Thread|ThreadLocal|Process.*)"
              + "|java\\.util\\.Random|java\\.util\\.random\\..*|java\\.security\\.SecureRandom"
              + "|java\\.nio\\.file\\.Files|java\\.nio\\.channels\\..*|java\\.net\\.(http\\..*|.*Socket)"
              + "|java\\.io\\.(File|.*Stream|.*Reader|.*Writer)"
              + "|io\\.grpc\\..*|dev\\.berth\\.csi\\.client\\..*"
              + "|dev\\.berth\\.kube\\.api\\.(Api|LocalApi|HttpApi)|dev\\.berth\\.kube\\.cache\\.Caches"
              + "|dev\\.berth\\.kube\\.event\\.EventRecorder|dev\\.berth\\.kube\\.time\\.(Time|SystemTime)"
              + "|dev\\.berth\\.kube\\.(loop\\.Loop|fact\\.Told)");

  private static final Pattern GIVEN =
      Pattern.compile("dev\\.berth\\.kube\\.(cache|fact|loop)\\..*");

  private static final List<String> DECIDER =
      List.of("name", "triggers", "view", "decide", "effectType", "about");

  private final JavaClasses berth;
  private final Map<JavaCodeUnit, Optional<JavaCodeUnit>> callers = new LinkedHashMap<>();
  private final Deque<JavaCodeUnit> next = new ArrayDeque<>();
  private final SortedSet<String> wrong = new TreeSet<>();

  private Reach(JavaClasses berth) {
    this.berth = berth;
  }

  /// What a decider must not reach and does, with the way there.
  static SortedSet<String> impure(JavaClasses berth, JavaClass decider) {
    var reach = new Reach(berth);
    decider.getMethods().stream()
        .filter(method -> DECIDER.contains(method.getName()))
        .filter(method -> !method.getModifiers().contains(JavaModifier.STATIC))
        .forEach(method -> reach.come(method, null));
    reach.fields(decider);
    while (!reach.next.isEmpty()) reach.walk(reach.next.remove());
    return reach.wrong;
  }

  private void come(JavaCodeUnit unit, @Nullable JavaCodeUnit caller) {
    if (callers.putIfAbsent(unit, Optional.ofNullable(caller)) == null) next.add(unit);
  }

  private void walk(JavaCodeUnit unit) {
    if (unit.getModifiers().contains(JavaModifier.SYNCHRONIZED)) report(unit, "takes a lock");
    for (var access : unit.getAccessesFromSelf()) follow(unit, access);
  }

  private void follow(JavaCodeUnit unit, JavaAccess<?> access) {
    var owner = access.getTarget().getOwner();
    var member = access.getTarget().resolveMember();
    if (member.isPresent() && member.get() instanceof JavaField field) {
      field(unit, field);
      return;
    }
    target(unit, owner, access.getTarget().getName(), member.stream().map(it -> it));
  }

  private void target(JavaCodeUnit unit, JavaClass owner, String name, Stream<?> members) {
    if (IMPURE.matcher(owner.getName()).matches()) report(unit, owner.getName() + "." + name);
    if (asksTheMachine(owner, name)) report(unit, owner.getName() + "." + name);
    if (!owner.getName().startsWith("dev.berth.") || GIVEN.matcher(owner.getName()).matches())
      return;
    members
        .filter(JavaCodeUnit.class::isInstance)
        .map(JavaCodeUnit.class::cast)
        .forEach(member -> {
          come(member, unit);
          if (member.getModifiers().contains(JavaModifier.ABSTRACT)) implementations(unit, member);
        });
  }

  private void implementations(JavaCodeUnit unit, JavaCodeUnit member) {
    for (var type : member.getOwner().getAllSubclasses())
      if (berth.contain(type.getFullName()))
        type.getMethods().stream()
            .filter(method -> method.getName().equals(member.getName()))
            .filter(method ->
                method.getRawParameterTypes().size() == member.getRawParameterTypes().size())
            .filter(method -> !method.getModifiers().contains(JavaModifier.ABSTRACT))
            .forEach((JavaMethod method) -> come(method, unit));
  }

  private static boolean asksTheMachine(JavaClass owner, String name) {
    return (owner.getName().startsWith("java.time.") && name.equals("now"))
        || (owner.isEquivalentTo(System.class)
            && (name.equals("nanoTime")
                || name.equals("currentTimeMillis")
                || name.equals("getenv")
                || name.equals("getProperty")))
        || (owner.isEquivalentTo(java.util.UUID.class) && name.equals("randomUUID"))
        || (owner.isEquivalentTo(Math.class) && name.equals("random"));
  }

  private void field(JavaCodeUnit unit, JavaField field) {
    if (!field.getOwner().getName().startsWith("dev.berth.")) return;
    if (field.getOwner().getName().startsWith("dev.berth.csi.v1.")) return; // generated messages
    if (!field.getModifiers().contains(JavaModifier.FINAL))
      report(unit, field.getFullName() + ", which can change");
    if (IMPURE.matcher(field.getRawType().getName()).matches())
      report(unit, field.getFullName() + ", a " + field.getRawType().getName());
  }

  /// Also one that no method reads yet.
  private void fields(JavaClass decider) {
    for (var field : decider.getFields())
      if (!field.getModifiers().contains(JavaModifier.FINAL)
          || IMPURE.matcher(field.getRawType().getName()).matches())
        wrong.add(decider.getName() + " has " + field.getName());
  }

  private void report(JavaCodeUnit unit, String what) {
    var way = new StringBuilder(what);
    var at = Optional.of(unit);
    while (at.isPresent()) {
      way.append("\n  from ").append(at.get().getFullName());
      at = callers.getOrDefault(at.get(), Optional.empty());
    }
    wrong.add(way.toString());
  }
}
