package dev.berth.cli.session;

import dev.berth.apiserver.core.custom.CustomVersion;
import dev.berth.apiserver.core.state.Kinds;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// The kinds that the definitions in a stack define.
public final class CustomKinds {
  private CustomKinds() {}

  /// The kind that people mean by a word: its plural, with its group or without, its singular or a
  /// short name. Of its versions the one that is stored, if it is served.
  public static Optional<Served> named(Api api, String word) {
    var definitions =
        api.list(Resources.DEFINITIONS, "", Selector.ALL).items().stream()
            .map(each ->
                Stored.of(ObjectKey.cluster(Json.text(each.path("metadata"), "name")), 0, 0, each))
            .toList();
    var wanted = word.toLowerCase(Locale.ROOT);
    return Kinds.of(definitions).all().stream()
        .filter(each -> each.custom().isPresent() && means(each, wanted))
        .max(
            Comparator.comparing(each -> each.custom().filter(CustomVersion::storage).isPresent()));
  }

  private static boolean means(Served kind, String word) {
    var resource = kind.resource();
    return word.equals(resource.plural())
        || word.equals(resource.plural() + "." + resource.group())
        || word.equals(kind.singular())
        || kind.shortNames().contains(word);
  }
}
