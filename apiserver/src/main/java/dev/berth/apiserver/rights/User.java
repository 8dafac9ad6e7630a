package dev.berth.apiserver.rights;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Who asks.
///
/// @param uid tells users of one name apart; empty: there is nothing to tell
/// @param groups all that they are in, `system:authenticated` too
/// @param extra what else the credential says, for those who look
public record User(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
  public static final String AUTHENTICATED = "system:authenticated";
  public static final String UNAUTHENTICATED = "system:unauthenticated";
  public static final String MASTERS = "system:masters";
  public static final String NODES = "system:nodes";
  public static final String NODE_PREFIX = "system:node:";
  public static final String ACCOUNT_PREFIX = "system:serviceaccount:";
  public static final String ACCOUNTS = "system:serviceaccounts";

  /// Has shown no credential.
  public static final User ANONYMOUS =
      new User("system:anonymous", "", List.of(UNAUTHENTICATED), Map.of());

  public User {
    groups = List.copyOf(groups);
    var copy = new TreeMap<String, List<String>>();
    extra.forEach((key, values) -> copy.put(key, List.copyOf(values)));
    extra = Map.copyOf(copy);
  }

  /// Somebody who has shown a credential.
  ///
  /// @param groups that the credential names
  public static User authenticated(
      String name, String uid, List<String> groups, Map<String, List<String>> extra) {
    var all = new ArrayList<>(groups);
    if (!all.contains(AUTHENTICATED)) all.add(AUTHENTICATED);
    return new User(name, uid, all, extra);
  }

  /// A service account.
  public static User account(
      String namespace, String name, String uid, Map<String, List<String>> extra) {
    return authenticated(
        accountName(namespace, name), uid, List.of(ACCOUNTS, ACCOUNTS + ":" + namespace), extra);
  }

  /// By which a service account is known as a user.
  public static String accountName(String namespace, String name) {
    return ACCOUNT_PREFIX + namespace + ":" + name;
  }

  /// A node, a part of the control plane, an account of `kube-system`, or an administrator, who
  /// ends what others do: what those ask for is not to keep them waiting.
  public boolean isSystem() {
    return isIn(MASTERS)
        || isIn(NODES)
        || isIn(ACCOUNTS + ":kube-system")
        || name.startsWith("system:kube-");
  }

  /// With whom it shares what each may have of the server at once. Whoever may make one account in
  /// a namespace may make any number: they are one.
  public String purse() {
    if (isSystem() || !name.startsWith(ACCOUNT_PREFIX)) return name;
    int end = name.indexOf(':', ACCOUNT_PREFIX.length());
    return end < 0 ? name : ACCOUNTS + ":" + name.substring(ACCOUNT_PREFIX.length(), end);
  }

  public boolean isIn(String group) {
    return groups.contains(group);
  }

  public boolean isAnonymous() {
    return name.equals(ANONYMOUS.name);
  }
}
