/// Roles and who has them: defaults and what is wrong with one. Who may do what by them is judged
/// elsewhere. Start at [RbacBook].
@NullMarked
package dev.berth.apiserver.core.kind.rbac;

import org.jspecify.annotations.NullMarked;
