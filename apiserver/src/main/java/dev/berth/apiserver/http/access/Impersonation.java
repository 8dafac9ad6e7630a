package dev.berth.apiserver.http.access;

import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.http.exchange.Exchange;
import dev.berth.apiserver.http.exchange.TransportRefusals;
import dev.berth.apiserver.rights.Attributes;
import dev.berth.apiserver.rights.User;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.eclipse.jetty.http.HttpField;

/// Requests that speak for somebody else: `kubectl --as`. Each part of whom they want to be is a
/// right of its own.
final class Impersonation {
  private static final String PREFIX = "impersonate-";
  private static final String EXTRA = PREFIX + "extra-";
  private static final String IDENTITY_GROUP = "authentication.k8s.io";

  private final BiConsumer<User, Attributes> check;

  /// @param check throws if a user may not do something
  Impersonation(BiConsumer<User, Attributes> check) {
    this.check = check;
  }

  /// For whom a request speaks.
  ///
  /// @param user whose credential it shows
  /// @throws RefusedException if it may not
  User of(Exchange exchange, User user) {
    var headers = headers(exchange);
    if (headers.isEmpty()) return user;
    var names = headers.getOrDefault(PREFIX + "user", List.of());
    if (names.isEmpty() || names.getFirst().isEmpty())
      throw TransportRefusals.badRequest("requested to impersonate without impersonating a user");
    var name = names.getFirst();
    var uid = headers.getOrDefault(PREFIX + "uid", List.of("")).getFirst();
    var groups = headers.getOrDefault(PREFIX + "group", List.of());
    var extra = extra(headers);
    var account = account(name);
    if (account.isEmpty()) check(user, "", "users", "", "", name);
    else check(user, "", "serviceaccounts", "", account.getFirst(), account.getLast());
    for (var group : groups) check(user, "", "groups", "", "", group);
    if (!uid.isEmpty()) check(user, IDENTITY_GROUP, "uids", "", "", uid);
    extra.forEach((key, values) -> {
      for (var value : values) check(user, IDENTITY_GROUP, "userextras", key, "", value);
    });
    return new User(name, uid, groups(name, account, groups), extra);
  }

  private void check(
      User user, String group, String resource, String subresource, String namespace, String name) {
    check.accept(user, Attributes.of("impersonate", group, resource, subresource, namespace, name));
  }

  /// Namespace and name of a service account; empty: it is none.
  private static List<String> account(String user) {
    if (!user.startsWith(User.ACCOUNT_PREFIX)) return List.of();
    var parts = List.of(user.substring(User.ACCOUNT_PREFIX.length()).split(":", -1));
    return parts.size() == 2 && !parts.getFirst().isEmpty() && !parts.getLast().isEmpty()
        ? parts
        : List.of();
  }

  private static List<String> groups(String name, List<String> account, List<String> asked) {
    var groups = new ArrayList<>(asked);
    if (!account.isEmpty() && asked.isEmpty()) {
      groups.add(User.ACCOUNTS);
      groups.add(User.ACCOUNTS + ":" + account.getFirst());
    }
    boolean anonymous = name.equals(User.ANONYMOUS.name());
    var everybody = anonymous ? User.UNAUTHENTICATED : User.AUTHENTICATED;
    boolean said = groups.contains(User.AUTHENTICATED) || groups.contains(User.UNAUTHENTICATED);
    if (!said) groups.add(everybody);
    return groups;
  }

  private static Map<String, List<String>> extra(Map<String, List<String>> headers) {
    var extra = new TreeMap<String, List<String>>();
    headers.forEach((name, values) -> {
      if (name.startsWith(EXTRA)) extra.put(decoded(name.substring(EXTRA.length())), values);
    });
    return extra;
  }

  /// Keys come with `%` for what no header's name may have.
  private static String decoded(String key) {
    try {
      return URLDecoder.decode(key.replace("+", "%2B"), StandardCharsets.UTF_8)
          .toLowerCase(Locale.ROOT);
    } catch (IllegalArgumentException asItIs) {
      return key;
    }
  }

  private static Map<String, List<String>> headers(Exchange exchange) {
    var headers = new LinkedHashMap<String, List<String>>();
    for (HttpField field : exchange.request().getHeaders()) {
      var name = field.getName().toLowerCase(Locale.ROOT);
      if (!name.startsWith(PREFIX)) continue;
      var value = field.getValue();
      headers.computeIfAbsent(name, _ -> new ArrayList<>()).add(value == null ? "" : value);
    }
    return headers;
  }
}
