package dev.berth.sidecar.secret;

import dev.berth.kube.model.Volume.SecretRef;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Finds out which Secrets a class names for one volume: a pair of templates for each use, or one
/// pair for all of them (PROV-50 to PROV-53).
public final class SecretParameters {
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern SUBDOMAIN =
      Pattern.compile(
          "(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  /// What the class's parameters come to for a volume.
  public sealed interface Resolution {}

  /// @param secrets by use; a use without an entry has no Secret
  public record Resolved(Map<SecretUse, SecretRef> secrets) implements Resolution {
    public Resolved {
      secrets = Map.copyOf(secrets);
    }

    public Optional<SecretRef> of(SecretUse use) {
      return Optional.ofNullable(secrets.get(use));
    }
  }

  /// @param why which parameter is wrong and how; for people
  public record Unresolvable(String why) implements Resolution {}

  private SecretParameters() {}

  /// @param parameters of the class
  /// @param subject whose names the templates may use
  public static Resolution resolve(Map<String, String> parameters, TemplateSubject subject) {
    return resolve(parameters, subject, EnumSet.allOf(SecretUse.class));
  }

  /// The same for some uses: what is wrong with the others is nobody's concern.
  public static Resolution resolve(
      Map<String, String> parameters, TemplateSubject subject, Set<SecretUse> uses) {
    var secrets = new EnumMap<SecretUse, SecretRef>(SecretUse.class);
    try {
      for (var use : uses) {
        var templates = templates(parameters, use);
        if (templates.isPresent()) secrets.put(use, templates.get().expand(subject));
      }
      return new Resolved(secrets);
    } catch (WrongParameter wrong) {
      return new Unresolvable(wrong.why);
    }
  }

  /// The use's own pair, or else the pair for all uses.
  private static Optional<Templates> templates(Map<String, String> parameters, SecretUse use)
      throws WrongParameter {
    var name = either(parameters, use.nameKey(), use.deprecatedNameKey());
    var namespace = either(parameters, use.namespaceKey(), use.deprecatedNamespaceKey());
    if (name.isEmpty() && namespace.isEmpty()) {
      name = parameter(parameters, ClassKeys.DEFAULT_SECRET_NAME);
      namespace = parameter(parameters, ClassKeys.DEFAULT_SECRET_NAMESPACE);
    }
    if (name.isEmpty() && namespace.isEmpty()) return Optional.empty();
    if (name.isEmpty())
      throw new WrongParameter(namespace.get().key + " stands without the name of a Secret");
    if (namespace.isEmpty())
      throw new WrongParameter(name.get().key + " stands without the Secret's namespace");
    return Optional.of(new Templates(name.get(), namespace.get()));
  }

  private static Optional<Parameter> either(
      Map<String, String> parameters, String key, Optional<String> deprecated)
      throws WrongParameter {
    var current = parameter(parameters, key);
    var old = deprecated.isPresent() ? parameter(parameters, deprecated.get()) : current;
    if (deprecated.isPresent() && current.isPresent() && old.isPresent())
      throw new WrongParameter(key + " and the deprecated " + deprecated.get() + " are both set");
    return current.or(() -> old);
  }

  private static Optional<Parameter> parameter(Map<String, String> parameters, String key)
      throws WrongParameter {
    var template = parameters.get(key);
    if (template == null) return Optional.empty();
    if (template.isEmpty()) throw new WrongParameter(key + " is empty");
    return Optional.of(new Parameter(key, template));
  }

  /// A class parameter that is there, with its template.
  private record Parameter(String key, String template) {
    String expand(Map<String, String> tokens, Pattern form, String formName) throws WrongParameter {
      return switch (Template.expand(template, tokens)) {
        case Template.Unknown(var names) ->
            throw new WrongParameter(key + " has unknown tokens " + names);
        case Template.Expanded(var text) when !form.matcher(text).matches() ->
            throw new WrongParameter(key + " comes to \"" + text + "\", which is no " + formName);
        case Template.Expanded(var text) -> text;
      };
    }
  }

  private record Templates(Parameter name, Parameter namespace) {
    SecretRef expand(TemplateSubject subject) throws WrongParameter {
      return new SecretRef(
          namespace.expand(subject.namespaceTokens(), LABEL, "DNS label"),
          name.expand(subject.nameTokens(), SUBDOMAIN, "DNS subdomain"));
    }
  }

  /// Leaves the nested look-ups; never leaves this class.
  private static final class WrongParameter extends Exception {
    private static final long serialVersionUID = 1;

    private final String why;

    WrongParameter(String why) {
      super(why);
      this.why = why;
    }
  }
}
